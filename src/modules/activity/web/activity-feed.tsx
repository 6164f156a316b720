import {
  BookOpen,
  CalendarCheck,
  Download,
  MessageSquare,
  Share2,
  Star,
  Trash2,
  Upload,
  UserPlus,
  UserRound,
} from 'lucide-react';
import { useUser } from '#modules/account/web/session-store.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { type Activity, activityApi, activityTypes } from '../activity.contract.ts';

export const FEED_PAGE_SIZE = 20;
export type ActivityList = OutputOf<typeof activityApi.list>;

const icons: Record<number, typeof Star> = {
  [activityTypes.comment]: MessageSquare,
  [activityTypes.favorite]: Star,
  [activityTypes.upload]: Upload,
  [activityTypes.download]: Download,
  [activityTypes.register]: UserRound,
  [activityTypes.sign]: CalendarCheck,
  [activityTypes.share]: Share2,
  [activityTypes.follow]: UserPlus,
  [activityTypes.delete_document]: Trash2,
};

/**
 * Activities of a user, newest first. The owner sees more than other users, so the cache key contains the viewer.
 * `rendered` is the list that the server rendered for a visitor; it is shown until the viewer's list is loaded.
 */
export function ActivityFeed({
  userId,
  page,
  rendered,
  hrefOf,
}: {
  userId: number;
  page: number;
  rendered?: ActivityList;
  hrefOf: (page: number) => string;
}) {
  const viewer = useUser()?.id ?? 0;
  const input = { id: userId, page, size: FEED_PAGE_SIZE };
  const activities = useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(activityApi.list, input), viewer],
    queryFn: ({ signal }) => callEndpoint(activityApi.list, input, { signal }),
    initialData: viewer === 0 ? rendered : undefined,
    placeholderData: rendered,
    staleTime: viewer === 0 ? 10_000 : 0,
  });
  if (!activities.data) return <ListPlaceholder query={activities} />;
  const { dynamic, total } = activities.data;
  if (dynamic.length === 0) {
    return (
      <EmptyState picture={<EmptyShelfIllustration />} title="还没有动态">
        {viewer === userId ? '签到、上传和收藏之后，这里会记下来。' : null}
      </EmptyState>
    );
  }
  return (
    <>
      <ol aria-label="动态" className="divide-y divide-line">
        {dynamic.map((activity) => (
          <ActivityItem key={activity.id} {...activity} />
        ))}
      </ol>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={FEED_PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

function ActivityItem({ type, content, created_at }: Activity) {
  const { timezone } = useSettings().system;
  const Icon = icons[type] ?? BookOpen;
  return (
    <li className="flex items-baseline gap-3 py-3.5">
      <Icon aria-hidden="true" className="size-4 shrink-0 translate-y-0.5 text-bean" />
      <p className="min-w-0 flex-1">{content}</p>
      <time
        dateTime={created_at}
        title={formatDateTime(created_at, timezone)}
        // The relative time may differ between the server and the browser.
        suppressHydrationWarning
        className="shrink-0 text-13 text-ink-2"
      >
        {relativeTime(created_at)}
      </time>
    </li>
  );
}
