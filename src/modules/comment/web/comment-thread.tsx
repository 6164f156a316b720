import { useInfiniteQuery } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useMinimumDisplay } from '#platform/web/use-minimum-display.ts';
import { type CommentItem, commentApi } from '../comment.contract.ts';
import { CommentView } from './comment-view.tsx';
import { CommenterNames } from './mention-suggestions.tsx';

const PAGE_SIZE = 20;
/** Page size and page limit while the linked reply is searched in its thread. */
const SEARCH_PAGE_SIZE = 100;
const MAX_SEARCH_PAGES = 10;

/** A top-level comment with its first replies; the other replies load on request. */
export function CommentThread({
  root,
  linkedCommentId,
  isLinked = false,
}: {
  root: CommentItem;
  linkedCommentId: number;
  /** The URL refers to a comment of this thread, so its replies are loaded. */
  isLinked?: boolean;
}) {
  const { replies, remainingCount, error, isBusy, isLoadingDisplayed, loadMore } = useReplies(
    root,
    linkedCommentId,
    isLinked,
  );
  const commenterNames = useContext(CommenterNames);
  // Names of this thread come first.
  const namesHere = new Set([...replies.map(({ user }) => user.username), ...commenterNames]);
  return (
    <li className="py-1">
      <CommenterNames value={[...namesHere]}>
        <CommentView comment={root} isLinked={linkedCommentId === root.id} />
        {replies.length > 0 ? (
          <ul aria-label={`对 ${root.user.username} 的回复`} className="ml-4 border-l-2 border-line pl-4 md:ml-12">
            {replies.map((reply) => (
              <li key={reply.id}>
                <CommentView comment={reply} isLinked={linkedCommentId === reply.id} isReply />
              </li>
            ))}
          </ul>
        ) : null}
      </CommenterNames>
      {error && !isBusy ? (
        <p role="alert" className="ml-4 pl-4 text-14 text-red md:ml-12">
          回复没有加载出来：{error.message}
        </p>
      ) : null}
      {remainingCount > 0 || isLoadingDisplayed ? (
        <button
          type="button"
          disabled={isBusy}
          onClick={loadMore}
          className="ml-4 min-h-10 rounded-sm pl-4 text-14 text-bean hover:underline md:ml-12"
        >
          {isBusy ? '正在加载' : error ? '重试' : `展开其余 ${remainingCount} 条回复`}
        </button>
      ) : null}
    </li>
  );
}

/** The replies of a thread. While the linked reply is missing, further pages are loaded. */
function useReplies(root: CommentItem, linkedCommentId: number, isLinked: boolean) {
  const viewer = useUser()?.id ?? 0;
  const [isOpen, setOpen] = useState(isLinked && root.comment_count > root.reply.length);
  const size = isLinked ? SEARCH_PAGE_SIZE : PAGE_SIZE;
  const input = { root_id: root.id, size };
  const replyPages = useInfiniteQuery({
    queryKey: [...queryKeyOf(commentApi.list, input), viewer],
    queryFn: ({ signal, pageParam: page }) => callEndpoint(commentApi.list, { ...input, page }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * size < total ? pages.length + 1 : null),
    enabled: isOpen,
  });
  const isLoadingDisplayed = useMinimumDisplay(replyPages.isLoading || replyPages.isFetchingNextPage);
  const isBusy = replyPages.isFetching || isLoadingDisplayed;
  const loadedReplies = replyPages.data?.pages.flatMap(({ comment }) => comment);
  const replies = loadedReplies ?? root.reply;
  const remainingCount = (replyPages.data?.pages[0]?.total ?? root.comment_count) - replies.length;
  const loadMore = () => {
    if (!isOpen) setOpen(true);
    else if (replyPages.data) void replyPages.fetchNextPage();
    else void replyPages.refetch();
  };
  const { fetchNextPage } = replyPages;
  const isMissing =
    isLinked &&
    linkedCommentId !== root.id &&
    loadedReplies?.every(({ id }) => id !== linkedCommentId) === true &&
    (replyPages.data?.pages.length ?? 0) < MAX_SEARCH_PAGES;
  const isSearchContinued = isMissing && replyPages.hasNextPage && !replyPages.isFetching && !replyPages.isError;
  useEffect(() => {
    if (isSearchContinued) void fetchNextPage();
  }, [isSearchContinued, fetchNextPage]);
  return { replies, remainingCount, error: replyPages.error, isBusy, isLoadingDisplayed, loadMore };
}
