import { hashKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import {
  useQueryWithMinimumLoading,
  useResultAfterMinimumDisplay,
} from '#platform/web/use-query-with-minimum-loading.ts';
import { commentApi } from '../comment.contract.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentThread } from './comment-thread.tsx';
import { CommenterNames } from './mention-suggestions.tsx';

const PAGE_SIZE = 10;
const orders = { 'id desc': '最新', 'id asc': '最早', 'comment_count desc': '回复最多' } as const;
type Order = keyof typeof orders;

export function CommentThreads({ documentId, linkedCommentId }: { documentId: number; linkedCommentId: number }) {
  const user = useUser();
  const [order, setOrder] = useState<Order>('id desc');
  const input = { document_id: documentId, parent_id: [0], with_reply: true, size: PAGE_SIZE };
  const baseKey = [...queryKeyOf(commentApi.list, input), user?.id ?? 0];
  const commentPages = useResultAfterMinimumDisplay(
    useInfiniteQuery({
      queryKey: [...baseKey, order],
      queryFn: ({ signal, pageParam: page }) => callEndpoint(commentApi.list, { ...input, order, page }, { signal }),
      initialPageParam: 1,
      // After a change of the order the loaded comments stay until the new ones arrive.
      placeholderData: (previousData, previousQuery) =>
        hashKey(previousQuery?.queryKey.slice(0, -1) ?? []) === hashKey(baseKey) ? previousData : undefined,
      getNextPageParam: ({ total }, pages) => (pages.length * PAGE_SIZE < total ? pages.length + 1 : null),
    }),
  );
  const linkedThread = useLinkedThread(documentId, linkedCommentId);
  const [first] = linkedThread.data?.comment ?? [];
  const comments = useMemo(() => commentPages.data?.pages.flatMap(({ comment }) => comment) ?? [], [commentPages.data]);
  const otherComments = comments.filter(({ id }) => id !== first?.id);
  const commenterNames = useMemo(() => {
    const allComments = [...(linkedThread.data?.comment ?? []), ...comments].flatMap((root) => [root, ...root.reply]);
    return [...new Set(allComments.map(({ user }) => user.username))];
  }, [linkedThread.data, comments]);
  return (
    <CommenterNames value={commenterNames}>
      {user ? <CommentForm documentId={documentId} /> : <LoginHint />}
      {comments.length > 1 ? <OrderButtons order={order} onChange={setOrder} /> : null}
      {commentPages.data === undefined || linkedThread.isLoading ? (
        <ListPlaceholder query={commentPages} rows={3} />
      ) : comments.length === 0 ? (
        <p className="py-8 text-center text-14 text-ink-2">还没有评论，来说说读后的想法。</p>
      ) : (
        <ul aria-label="评论" className="divide-y divide-line">
          {first ? (
            <CommentThread
              key={`${first.id}-${linkedCommentId}`}
              root={first}
              linkedCommentId={linkedCommentId}
              isLinked
            />
          ) : null}
          {otherComments.map((comment) => (
            <CommentThread key={comment.id} root={comment} linkedCommentId={linkedCommentId} />
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
    </CommenterNames>
  );
}

function LoginHint() {
  return (
    <p className="rounded-md bg-sunken px-4 py-3 text-14 text-ink-2">
      <Link to={useLoginHref()} rel="nofollow" className="text-bean underline">
        登录
      </Link>
      后可以发表评论。
    </p>
  );
}

function OrderButtons({ order, onChange }: { order: Order; onChange: (order: Order) => void }) {
  return (
    <fieldset className="mt-4 flex gap-1 border-b border-line pb-2">
      <legend className="sr-only">评论的次序</legend>
      {(Object.keys(orders) as Order[]).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={order === each}
          onClick={() => onChange(each)}
          className="min-h-10 rounded-md px-3 text-14 text-ink-2 transition-colors hover:text-bean aria-pressed:bg-bean-soft aria-pressed:font-medium aria-pressed:text-bean"
        >
          {orders[each]}
        </button>
      ))}
    </fieldset>
  );
}

/** The thread of the comment in the URL, whichever page it is on. */
function useLinkedThread(documentId: number, linkedCommentId: number) {
  const viewer = useUser()?.id ?? 0;
  const input = { document_id: documentId, thread_of: linkedCommentId, with_reply: true };
  return useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(commentApi.list, input), viewer],
    queryFn: ({ signal }) => callEndpoint(commentApi.list, input, { signal }),
    enabled: linkedCommentId > 0,
  });
}
