import { lazy, Suspense, useEffect, useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { data } from 'react-router';
import { NoScriptNotice } from '#platform/web/ui/no-script-notice.tsx';
import { isAdminPath } from './admin-paths.ts';

// The back-office is rendered only in the browser: the server sends a placeholder, and the server build excludes antd.
const AdminApp = lazy(() => import('./admin-app.client.tsx').then((file) => ({ default: file.AdminApp })));

const NOT_FOUND = 'This page could not be found';

export const meta: MetaFunction = () => [{ title: '管理后台' }, { name: 'robots', content: 'noindex, nofollow' }];

function assertAdminPath(request: Request) {
  if (isAdminPath(new URL(request.url).pathname)) return null;
  throw data({ code: 'http.notFound', message: NOT_FOUND }, { status: 404 });
}
export const loader = ({ request }: LoaderFunctionArgs) => assertAdminPath(request);
export const clientLoader = ({ request }: LoaderFunctionArgs) => assertAdminPath(request);

export default function AdminEntry() {
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);
  const placeholder = (
    <div className="grid min-h-dvh place-items-center text-ink-2">
      <p role="status" className="noscript:hidden">
        正在打开管理后台…
      </p>
      <NoScriptNotice className="m-4" />
    </div>
  );
  if (!isInBrowser) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <AdminApp />
    </Suspense>
  );
}
