import { hashKey, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '#modules/account/web/session.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { ListState } from '#platform/web/ui/list-state.tsx';
import { useHeldResult } from '#platform/web/use-fetch.ts';
import { commentApi } from '../comment.contract.ts';
import { CommentForm } from './comment-form.tsx';
import { Speakers } from './mention-names.tsx';
import { Thread } from './thread.tsx';

const SIZE = 10;
const orders = { 'id desc': '最新', 'id asc': '最早', 'comment_count desc': '回复最多' } as const;
type Order = keyof typeof orders;

/** All conversations below a document, some at a time. */
export function Comments({ documentId, asked }: { documentId: number; asked: number }) {
  const user = useUser();
  const loginHref = useLoginHref();
  const [order, setOrder] = useState<Order>('id desc');
  const input = { document_id: documentId, parent_id: [0], with_reply: true, size: SIZE };
  const talk = [...keyOf(commentApi.list, input), user?.id ?? 0];
  const commentPages = useHeldResult(
    useInfiniteQuery({
      queryKey: [...talk, order],
      queryFn: ({ signal, pageParam: page }) => call(commentApi.list, { ...input, order, page }, { signal }),
      initialPageParam: 1,
      // In another order the same ones stay until the others come.
      placeholderData: (before, earlier) =>
        hashKey(earlier?.queryKey.slice(0, -1) ?? []) === hashKey(talk) ? before : undefined,
      getNextPageParam: ({ total }, pages) => (pages.length * SIZE < total ? pages.length + 1 : null),
    }),
  );
  const led = useLedTo(documentId, asked);
  const [first] = led.data?.comment ?? [];
  const comments = useMemo(() => commentPages.data?.pages.flatMap(({ comment }) => comment) ?? [], [commentPages.data]);
  const others = comments.filter(({ id }) => id !== first?.id);
  const speakers = useMemo(() => {
    const all = [...(led.data?.comment ?? []), ...comments].flatMap((root) => [root, ...root.reply]);
    return [...new Set(all.map(({ user }) => user.username))];
  }, [led.data, comments]);
  return (
    <Speakers value={speakers}>
      {user ? (
        <CommentForm documentId={documentId} />
      ) : (
        <p className="rounded-md bg-sunken px-4 py-3 text-14 text-ink-2">
          <Link to={loginHref} rel="nofollow" className="text-bean underline">
            登录
          </Link>
          后可以发表评论。
        </p>
      )}
      {comments.length > 1 ? (
        <fieldset className="mt-4 flex gap-1 border-b border-line pb-2">
          <legend className="sr-only">评论的次序</legend>
          {(Object.keys(orders) as Order[]).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={order === each}
              onClick={() => setOrder(each)}
              className="min-h-10 rounded-md px-3 text-14 text-ink-2 transition-colors hover:text-bean aria-pressed:bg-bean-soft aria-pressed:font-medium aria-pressed:text-bean"
            >
              {orders[each]}
            </button>
          ))}
        </fieldset>
      ) : null}
      {commentPages.data === undefined || led.isLoading ? (
        <ListState found={commentPages} rows={3} />
      ) : comments.length === 0 ? (
        <p className="py-8 text-center text-14 text-ink-2">还没有评论，来说说读后的想法。</p>
      ) : (
        <ul aria-label="评论" className="divide-y divide-line">
          {first ? <Thread key={`${first.id}-${asked}`} root={first} asked={asked} isLedTo /> : null}
          {others.map((comment) => (
            <Thread key={comment.id} root={comment} asked={asked} />
          ))}
        </ul>
      )}
      {commentPages.hasNextPage ? (
        <div className="mt-4 text-center">
          <Button
            variant="outline"
            pending={commentPages.isFetchingNextPage}
            onClick={() => commentPages.fetchNextPage()}
          >
            更多评论
          </Button>
        </div>
      ) : null}
    </Speakers>
  );
}

/** The conversation somebody was led to, wherever it stands. */
function useLedTo(documentId: number, asked: number) {
  const viewer = useUser()?.id ?? 0;
  const input = { document_id: documentId, thread_of: asked, with_reply: true };
  return useQuery({
    queryKey: [...keyOf(commentApi.list, input), viewer],
    queryFn: ({ signal }) => call(commentApi.list, input, { signal }),
    enabled: asked > 0,
  });
}
