import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '#modules/access/web/session.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { type CommentItem, commentApi } from '../comment.contract.ts';
import { CommentView } from './comment-view.tsx';

const SIZE = 20;

/** A comment with its answers: the first ones, and all of them when asked for. */
export function Thread({ root, asked }: { root: CommentItem; asked: number }) {
  const viewer = useUser()?.id ?? 0;
  const [isOpen, setOpen] = useState(false);
  const input = { root_id: root.id, size: SIZE };
  const found = useInfiniteQuery({
    queryKey: [...keyOf(commentApi.list, input), viewer],
    queryFn: ({ signal, pageParam: page }) =>
      call(commentApi.list, { ...input, page }, { signal, quiet: true }),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * SIZE < total ? pages.length + 1 : null),
    enabled: isOpen,
  });
  const all = found.data?.pages.flatMap(({ comment }) => comment);
  const shown = all ?? root.reply;
  const left = (found.data?.pages[0]?.total ?? root.comment_count) - shown.length;
  const more = () => {
    if (isOpen && found.hasNextPage) void found.fetchNextPage();
    else setOpen(true);
  };
  return (
    <li className="py-1">
      <CommentView comment={root} isAsked={asked === root.id} />
      {shown.length > 0 ? (
        <ul
          aria-label={`对 ${root.user.username} 的回复`}
          className="ml-4 border-l-2 border-line pl-4 md:ml-12"
        >
          {shown.map((reply) => (
            <li key={reply.id}>
              <CommentView comment={reply} isAsked={asked === reply.id} isAnswer />
            </li>
          ))}
        </ul>
      ) : null}
      {left > 0 ? (
        <button
          type="button"
          disabled={found.isFetching}
          onClick={more}
          className="ml-4 min-h-10 rounded-sm pl-4 text-14 text-bean hover:underline md:ml-12"
        >
          {found.isFetching ? '正在加载' : `展开其余 ${left} 条回复`}
        </button>
      ) : null}
    </li>
  );
}
