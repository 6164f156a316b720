import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { Link } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { notificationApi } from '../notification.contract.ts';

const POLL_INTERVAL_MS = 60_000;

/** Link to the notifications with the number of unread ones; renders nothing for visitors. */
export function NotificationBell({ className = '' }: { className?: string }) {
  const id = useUser()?.id ?? 0;
  const { data } = useQuery({
    queryKey: [...queryKeyOf(notificationApi.unread, {}), id],
    queryFn: (context) => pollEndpoint(notificationApi.unread, {}, context),
    enabled: id > 0,
    refetchInterval: POLL_INTERVAL_MS,
    staleTime: 10_000,
  });
  if (id === 0) return null;
  const unreadCount = data?.unread ?? 0;
  return (
    <Link
      to="/notification"
      aria-label={unreadCount > 0 ? `消息，${unreadCount} 条未读` : '消息'}
      title="消息"
      className={`relative grid size-10 shrink-0 place-items-center rounded-md transition-colors ${className}`}
    >
      <BellIcon aria-hidden="true" className="size-5" />
      {unreadCount > 0 ? (
        <span
          aria-hidden="true"
          className="absolute top-0.5 left-1/2 ml-0.5 min-w-4.5 rounded-full bg-red px-1 text-center whitespace-nowrap text-12 leading-4.5 font-medium text-surface"
        >
          {unreadCount > 99 ? '99+' : unreadCount}
        </span>
      ) : null}
    </Link>
  );
}
