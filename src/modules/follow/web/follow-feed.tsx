import { Link } from 'react-router';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { type FeedItem, followApi } from '../follow.contract.ts';

const PAGE_SIZE = 20;

/** Recent activities of followed users, newest first. */
export function FollowFeed({ page, hrefOf }: { page: number; hrefOf: (page: number) => string }) {
  const feed = useQueryPerUser(followApi.feed, { page, size: PAGE_SIZE });
  if (!feed.data) return <ListPlaceholder query={feed} />;
  const { dynamic, total } = feed.data;
  if (dynamic.length === 0)
    return (
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title="还没有动态"
        action={<ButtonLink to="/category">去看看文档</ButtonLink>}
      >
        关注几位分享者，他们的上传、收藏和评论会出现在这里。
      </EmptyState>
    );
  return (
    <>
      <ol aria-label="关注动态" className="divide-y divide-line">
        {dynamic.map((item) => (
          <FeedListItem key={item.id} item={item} />
        ))}
      </ol>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

function FeedListItem({ item }: { item: FeedItem }) {
  const { timezone } = useSettings().system;
  const { user, content, document_id, created_at } = item;
  return (
    <li className="flex items-start gap-3 py-3.5">
      <Avatar src={user.avatar} size={36} />
      <p className="min-w-0 flex-1 pt-1">
        <Link to={`/user/${user.id}`} className="font-medium hover:text-bean">
          {user.username}
        </Link>{' '}
        {document_id > 0 ? (
          <Link to={`/document/${document_id}`} className="hover:text-bean">
            {content}
          </Link>
        ) : (
          content
        )}
      </p>
      <time
        dateTime={created_at}
        title={formatDateTime(created_at, timezone)}
        className="shrink-0 pt-1 text-13 text-ink-2"
      >
        {relativeTime(created_at)}
      </time>
    </li>
  );
}
