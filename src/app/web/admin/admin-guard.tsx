import { Button, Result } from 'antd';
import { useCallback, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { ALWAYS_ALLOWED_PAGES } from '#modules/account/permission-pages.contract.ts';
import {
  refreshPermissions,
  showSessionEndedToast,
  useBackOfficeAccess,
  useEndedSession,
  useSession,
} from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { toast } from '#platform/web/toast.ts';
import { withoutTrailingSlash } from './admin-paths.ts';
import { SessionEndedLoginDialog } from './session-ended-login-dialog.tsx';

/**
 * Redirects to the home page without a token or an allowed page, to the login if the stored session has ended, and to
 * /admin from a page that is not allowed. The permissions are fetched again whenever the back-office opens; the server
 * checks every call anyway.
 */
export function AdminGuard() {
  const path = withoutTrailingSlash(useLocation().pathname);
  const token = useSession((session) => session.token);
  const { pages } = useBackOfficeAccess();
  const { ended: endedSession, hasDialog } = useEndedSession();
  const loginHref = useLoginHref();
  const [fetchState, setFetchState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  // Only the initial state: a user who logs out here needs no notice.
  const [openedWithoutToken] = useState(!token && endedSession === null);
  const isRefused = token !== '' && fetchState === 'loaded' && pages.length === 0;
  const fetchPermissions = useCallback(async () => {
    setFetchState('loading');
    setFetchState((await refreshPermissions()) ? 'loaded' : 'failed');
  }, []);
  useEffect(() => {
    if (token) void fetchPermissions();
  }, [token, fetchPermissions]);
  useEffect(() => {
    if (openedWithoutToken) toast.info('请先登录，再打开管理后台');
    else if (isRefused) toast.info('您的账号不能打开管理后台');
  }, [openedWithoutToken, isRefused]);

  // The first response confirms the stored session. Only after that a session end may need the login dialog, which
  // protects typed text.
  const isConfirmed = token !== '' && fetchState !== 'loading';
  useEffect(() => {
    if (isConfirmed) useEndedSession.setState({ hasDialog: true });
  }, [isConfirmed]);
  useEffect(() => leaveBackOffice, []);

  // If the session ends here, the screen stays and the login dialog opens over it.
  const isEnded = endedSession !== null && hasDialog;
  if (!token && !isEnded) return <Navigate to={endedSession ? loginHref : '/'} replace />;
  // Stored permissions show the screen immediately; without them the screen waits for the response.
  if (isRefused) return <Navigate to="/" replace />;
  if (pages.length === 0)
    return fetchState === 'failed' ? (
      <Result status="warning" title="没有问到您的权限" extra={<Button onClick={fetchPermissions}>重试</Button>} />
    ) : null;
  if (!ALWAYS_ALLOWED_PAGES.includes(path) && !pages.includes(path)) return <Navigate to="/admin" replace />;
  return (
    <>
      <Outlet />
      {isEnded ? <SessionEndedLoginDialog ended={endedSession} /> : null}
    </>
  );
}

function leaveBackOffice() {
  const { ended: endedSession, hasDialog } = useEndedSession.getState();
  useEndedSession.setState({ hasDialog: false, ended: null });
  // Leaving the back-office closes the dialog, so the end of the session is reported on the public page.
  if (endedSession && hasDialog) showSessionEndedToast();
}
