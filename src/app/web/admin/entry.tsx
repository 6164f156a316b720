import { lazy, Suspense, useEffect, useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { data } from 'react-router';
import { NoScriptNotice } from '#platform/web/ui/no-script-notice.tsx';
import { isAdminPath } from './admin-paths.ts';

// The back-office is for the browser alone: the server sends an empty shell, and antd with it never.
const AdminApp = lazy(() => import('./admin-app.client.tsx').then((file) => ({ default: file.AdminApp })));

const NOT_FOUND = 'This page could not be found';

export const meta: MetaFunction = () => [{ title: '管理后台' }, { name: 'robots', content: 'noindex, nofollow' }];

function check(request: Request) {
  if (isAdminPath(new URL(request.url).pathname)) return null;
  throw data({ code: 'http.notFound', message: NOT_FOUND }, { status: 404 });
}
export const loader = ({ request }: LoaderFunctionArgs) => check(request);
export const clientLoader = ({ request }: LoaderFunctionArgs) => check(request);

export default function AdminEntry() {
  const [inBrowser, setInBrowser] = useState(false);
  useEffect(() => setInBrowser(true), []);
  const waiting = (
    <div className="grid min-h-dvh place-items-center text-ink-2">
      <p role="status" className="noscript:hidden">
        正在打开管理后台…
      </p>
      <NoScriptNotice className="m-4" />
    </div>
  );
  if (!inBrowser) return waiting;
  return (
    <Suspense fallback={waiting}>
      <AdminApp />
    </Suspense>
  );
}
