import { redirect } from 'react-router';
import { getSessionUser } from '#modules/account/web/session-store.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { NoScriptNotice } from '#platform/web/ui/no-script-notice.tsx';

/** Redirects to the page of the logged-in user or to the login. Only the browser knows the user. */
export function clientLoader() {
  const user = getSessionUser();
  throw redirect(user ? `/user/${user.id}` : '/login?redirect=%2Fuser');
}
export const loader = () => null;
clientLoader.hydrate = true as const;

export default function MyHome() {
  return (
    <main className="page-width min-h-[60vh] py-24 text-center text-ink-2">
      <PageHead title="个人主页" hidden />
      <p className="noscript:hidden">正在打开您的个人主页</p>
      <NoScriptNotice className="mx-auto max-w-105" />
    </main>
  );
}
