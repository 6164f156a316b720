import { Link } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useLastPageRedirect } from '#platform/web/last-page-redirect.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { FOLLOWS_PAGE_SIZE, type FollowListUser, followApi, followErrors } from '../follow.contract.ts';
import { FollowButton, FollowToggle } from './follow-button.tsx';

export type FollowListOutput = OutputOf<typeof followApi.list>;
const followListInput = (userId: number, type: 'fans' | 'follow', page: number) => ({
  user_id: userId,
  type,
  page,
  size: FOLLOWS_PAGE_SIZE,
});

/** Fans of a user, or followed users. `rendered` is the data of the server's HTML for visitors. */
export function FollowList({
  userId,
  type,
  page,
  rendered,
  hrefOf,
}: {
  userId: number;
  type: 'fans' | 'follow';
  page: number;
  rendered?: FollowListOutput;
  hrefOf: (page: number) => string;
}) {
  const viewer = useUser()?.id ?? 0;
  const input = followListInput(userId, type, page);
  const people = useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(followApi.list, input), viewer],
    queryFn: ({ signal }) => callEndpoint(followApi.list, input, { signal }),
    initialData: viewer === 0 ? rendered : undefined,
    placeholderData: rendered,
    staleTime: viewer === 0 ? 10_000 : 0,
    retry: (times, error) => times < 2 && !followErrors.hidden.is(error),
  });
  const isRedirecting = useLastPageRedirect(
    people.data && { total: people.data.total, count: people.data.user.length },
    { page, size: FOLLOWS_PAGE_SIZE },
    hrefOf,
  );
  if (followErrors.hidden.is(people.error))
    return <EmptyState picture={<EmptyShelfIllustration />} title={people.error.message} />;
  if (!people.data || isRedirecting) return <ListPlaceholder query={people} />;
  const { user, total, hidden } = people.data;
  const hiddenFans = `${hidden} 位粉丝没有公开关注的人`;
  if (user.length === 0) {
    const title = type === 'fans' ? '还没有粉丝' : '还没有关注的人';
    return <EmptyState picture={<EmptyShelfIllustration />} title={hidden > 0 ? hiddenFans : title} />;
  }
  return (
    <>
      <ul aria-label={type === 'fans' ? '粉丝' : '关注的人'} className="grid md:grid-cols-2 md:gap-x-8">
        {user.map((person) => (
          <FollowListItem key={person.id} person={person} />
        ))}
      </ul>
      {hidden > 0 ? <p className="pt-4 text-13 text-ink-2">另有 {hiddenFans}</p> : null}
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={FOLLOWS_PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

function FollowListItem({ person }: { person: FollowListUser }) {
  const viewer = useUser();
  const { id, username, avatar, signature, doc_count, fans_count } = person;
  return (
    <li className="flex items-center gap-4 border-b border-line py-4">
      <Avatar src={avatar} size={48} />
      <div className="min-w-0 flex-1">
        <Link to={`/user/${id}`} className="block truncate rounded-sm font-medium hover:text-bean">
          {username}
        </Link>
        <p className="truncate text-13 text-ink-2">{signature || '暂无个性签名'}</p>
        <p className="text-13 text-ink-2">{`${doc_count} 篇文档 · ${fans_count} 个粉丝`}</p>
      </div>
      {viewer === null ? (
        <FollowButton userId={id} username={username} />
      ) : viewer.id === id ? null : (
        <FollowToggle userId={id} username={username} isFollowing={person.is_following} />
      )}
    </li>
  );
}
