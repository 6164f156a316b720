import { AtSign, Bookmark, Check, ClipboardCheck, Flag, MessageSquare, Reply, Trash2, UserPlus } from 'lucide-react';
import { Link } from 'react-router';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import { useLastPageRedirect } from '#platform/web/last-page-redirect.ts';
import { Button, IconButton } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Notification, type NotificationKind, notificationApi } from '../notification.contract.ts';

const PAGE_SIZE = 20;
const actionOptions = {
  invalidates: [notificationApi.list, notificationApi.unread],
  invalidatesAfterFailure: true,
  // Opening a notification leaves the page.
  keepalive: true,
};

const icons: Record<NotificationKind, typeof Reply> = {
  comment: MessageSquare,
  reply: Reply,
  mention: AtSign,
  favorite: Bookmark,
  follow: UserPlus,
  review: ClipboardCheck,
  report: Flag,
};

/** Notifications of the user, newest first. Opening one marks it as read. */
export function NotificationList({
  page,
  onlyUnread,
  hrefOf,
}: {
  page: number;
  onlyUnread: boolean;
  hrefOf: (page: number) => string;
}) {
  const input = { page, size: PAGE_SIZE, ...(onlyUnread && { is_read: false }) };
  const notifications = useQueryPerUser(notificationApi.list, input);
  const isPastLastPage = useLastPageRedirect(
    notifications.data && { total: notifications.data.total, count: notifications.data.notification.length },
    { page, size: PAGE_SIZE },
    hrefOf,
  );
  const read = useAction(notificationApi.read, actionOptions);
  const remove = useAction(notificationApi.remove, actionOptions);
  if (!notifications.data || isPastLastPage) return <ListPlaceholder query={notifications} />;
  const { notification, total } = notifications.data;
  if (notification.length === 0)
    return (
      <EmptyState picture={<EmptyShelfIllustration />} title={onlyUnread ? '没有未读的消息' : '还没有消息'}>
        评论、回复、收藏和处理结果会出现在这里。
      </EmptyState>
    );
  return (
    <>
      <div className="flex justify-end border-b border-line py-2">
        <Button variant="quiet" onClick={() => read.run({ all: true })}>
          <Check aria-hidden="true" className="size-4" />
          全部标为已读
        </Button>
      </div>
      <ul aria-label="消息" className="divide-y divide-line">
        {notification.map((item) => (
          <NotificationItem
            key={item.id}
            item={item}
            onRead={() => read.run({ id: [item.id] })}
            onRemove={() => remove.run({ id: [item.id] })}
          />
        ))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

function NotificationItem({
  item,
  onRead,
  onRemove,
}: {
  item: Notification;
  onRead: () => void;
  onRemove: () => void;
}) {
  const { timezone } = useSettings().system;
  const { kind, content, link, is_read, created_at } = item;
  const Icon = icons[kind];
  return (
    <li className="flex items-start gap-3 py-3">
      <span className="relative mt-1.5 shrink-0">
        <Icon aria-hidden="true" className="size-4.5 text-bean" />
        {is_read ? null : (
          <span className="absolute -top-1 -right-1 size-2 rounded-full bg-red">
            <span className="sr-only">未读</span>
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to={link}
          onClick={is_read ? undefined : onRead}
          className={`block rounded-sm py-0.5 hover:text-bean ${is_read ? 'text-ink-2' : ''}`}
        >
          {content}
        </Link>
        <time dateTime={created_at} title={formatDateTime(created_at, timezone)} className="text-13 text-ink-2">
          {relativeTime(created_at)}
        </time>
      </div>
      <div className="-my-0.5 flex shrink-0 text-ink-2">
        {is_read ? null : (
          <IconButton label="标为已读" onClick={onRead}>
            <Check aria-hidden="true" className="size-4.5" />
          </IconButton>
        )}
        <IconButton label="删除这条消息" onClick={onRemove}>
          <Trash2 aria-hidden="true" className="size-4.5" />
        </IconButton>
      </div>
    </li>
  );
}
