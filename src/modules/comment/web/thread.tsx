import { useInfiniteQuery } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { useUser } from '#modules/account/web/session.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { type CommentItem, commentApi } from '../comment.contract.ts';
import { CommentView } from './comment-view.tsx';
import { Speakers } from './mention-names.tsx';

const SIZE = 20;
/** Where one answer among many is looked for, there are more at a time, and an end. */
const LOOKED_THROUGH = 100;
const MAX_PAGES = 10;

/** A comment with its answers: the first ones, and all of them when asked for. */
export function Thread({
  root,
  asked,
  isLedTo = false,
}: {
  root: CommentItem;
  asked: number;
  /** Somebody was led to one of them: they are open. */
  isLedTo?: boolean;
}) {
  const viewer = useUser()?.id ?? 0;
  const [isOpen, setOpen] = useState(isLedTo && root.comment_count > root.reply.length);
  const size = isLedTo ? LOOKED_THROUGH : SIZE;
  const input = { root_id: root.id, size };
  const found = useInfiniteQuery({
    queryKey: [...keyOf(commentApi.list, input), viewer],
    queryFn: ({ signal, pageParam: page }) => call(commentApi.list, { ...input, page }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * size < total ? pages.length + 1 : null),
    enabled: isOpen,
  });
  const all = found.data?.pages.flatMap(({ comment }) => comment);
  const shown = all ?? root.reply;
  const left = (found.data?.pages[0]?.total ?? root.comment_count) - shown.length;
  const more = () => {
    if (!isOpen) setOpen(true);
    else if (found.data) void found.fetchNextPage();
    else void found.refetch();
  };
  const { fetchNextPage } = found;
  const isMissing =
    isLedTo &&
    asked !== root.id &&
    all?.every(({ id }) => id !== asked) === true &&
    (found.data?.pages.length ?? 0) < MAX_PAGES;
  const goesOn = isMissing && found.hasNextPage && !found.isFetching && !found.isError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  const speakers = useContext(Speakers);
  // Those of this conversation first.
  const here = new Set([...shown.map(({ user }) => user.username), ...speakers]);
  return (
    <li className="py-1">
      <Speakers value={[...here]}>
        <CommentView comment={root} isAsked={asked === root.id} />
        {shown.length > 0 ? (
          <ul aria-label={`对 ${root.user.username} 的回复`} className="ml-4 border-l-2 border-line pl-4 md:ml-12">
            {shown.map((reply) => (
              <li key={reply.id}>
                <CommentView comment={reply} isAsked={asked === reply.id} isAnswer />
              </li>
            ))}
          </ul>
        ) : null}
      </Speakers>
      {found.isError && !found.isFetching ? (
        <p role="alert" className="ml-4 pl-4 text-14 text-red md:ml-12">
          回复没有加载出来：{found.error.message}
        </p>
      ) : null}
      {left > 0 ? (
        <button
          type="button"
          disabled={found.isFetching}
          onClick={more}
          className="ml-4 min-h-10 rounded-sm pl-4 text-14 text-bean hover:underline md:ml-12"
        >
          {found.isFetching ? '正在加载' : found.isError ? '重试' : `展开其余 ${left} 条回复`}
        </button>
      ) : null}
    </li>
  );
}
