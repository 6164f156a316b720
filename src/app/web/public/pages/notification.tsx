import { lazy, Suspense } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { NoScriptNotice } from '#platform/web/ui/no-script-notice.tsx';
import { useHydrated } from '#platform/web/use-hydrated.ts';

const NotificationList = lazy(() =>
  import('#modules/notification/web/notification-list.tsx').then((module) => ({
    default: module.NotificationList,
  })),
);
const NotificationSettings = lazy(() =>
  import('#modules/notification/web/notification-settings.tsx').then((module) => ({
    default: module.NotificationSettings,
  })),
);

const VIEWS = { '': '全部消息', unread: '未读', setting: '消息设置' } as const;
type View = keyof typeof VIEWS;
const hrefOf = (view: View, page = 1) => {
  const search = new URLSearchParams();
  if (view) search.set('view', view);
  if (page > 1) search.set('page', String(page));
  return search.size > 0 ? `/notification?${search}` : '/notification';
};

export default function NotificationPage() {
  const [search] = useSearchParams();
  const user = useUser();
  const isHydrated = useHydrated();
  const loginHref = useLoginHref();
  const viewParameter = search.get('view') ?? '';
  const view: View = Object.hasOwn(VIEWS, viewParameter) ? (viewParameter as View) : '';
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
  // Only the browser knows the user.
  if (isHydrated && user === null) return <Navigate to={loginHref} replace />;
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead title="消息" hidden />
      <h1 className="font-serif text-22 font-bold md:text-28">消息</h1>
      <nav aria-label="消息栏目" className="mt-4 border-b border-line">
        <ul className="flex">
          {(Object.keys(VIEWS) as View[]).map((name) => (
            <li key={name}>
              <Link
                to={hrefOf(name)}
                preventScrollReset
                aria-current={name === view ? 'page' : undefined}
                className="-mb-px flex min-h-11 items-center border-b-2 border-transparent px-3 whitespace-nowrap text-ink-2 transition-colors hover:text-bean focus-visible:-outline-offset-2 aria-[current]:border-bean aria-[current]:font-medium aria-[current]:text-bean md:px-4"
              >
                {VIEWS[name]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <NoScriptNotice className="mt-6" />
      <div className="card mt-6 px-5 py-3 md:px-6 noscript:hidden">
        <Suspense fallback={null}>
          {!isHydrated ? null : view === 'setting' ? (
            <NotificationSettings />
          ) : (
            <NotificationList
              page={page}
              onlyUnread={view === 'unread'}
              hrefOf={(targetPage) => hrefOf(view, targetPage)}
            />
          )}
        </Suspense>
      </div>
    </main>
  );
}
