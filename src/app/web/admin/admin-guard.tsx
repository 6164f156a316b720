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
} from '#modules/account/web/session.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { toast } from '#platform/web/toast.ts';
import { cleanPath } from './admin-paths.ts';
import { LoginDialog } from './login-dialog.tsx';

/**
 * No token or no allowed page: home. A stored session that has ended: the login page. A page that is not allowed: /admin. The permissions are asked
 * for anew whenever the back-office opens; the server checks every call besides.
 */
export function AdminGuard() {
  const path = cleanPath(useLocation().pathname);
  const token = useSession((session) => session.token);
  const { pages } = useBackOfficeAccess();
  const { ended, hasDialog } = useEndedSession();
  const loginHref = useLoginHref();
  const [answer, setAnswer] = useState<'coming' | 'here' | 'lost'>('coming');
  // Whoever logs out here knows why the door closes.
  const [cameWithout] = useState(!token && ended === null);
  const isRefused = token !== '' && answer === 'here' && pages.length === 0;
  const ask = useCallback(async () => {
    setAnswer('coming');
    setAnswer((await refreshPermissions()) ? 'here' : 'lost');
  }, []);
  useEffect(() => {
    if (token) void ask();
  }, [token, ask]);
  useEffect(() => {
    if (cameWithout) toast.info('请先登录，再打开管理后台');
    else if (isRefused) toast.info('您的账号不能打开管理后台');
  }, [cameWithout, isRefused]);

  // The first answer confirms the stored session; only then a screen may hold typed text.
  const isConfirmed = token !== '' && answer !== 'coming';
  useEffect(() => {
    if (isConfirmed) useEndedSession.setState({ hasDialog: true });
  }, [isConfirmed]);
  useEffect(() => leaveBackOffice, []);

  // A session that ended here leaves the screen as it is: the login opens over it.
  const isEnded = ended !== null && hasDialog;
  if (!token && !isEnded) return <Navigate to={ended ? loginHref : '/'} replace />;
  // What this browser remembers opens the door at once; an empty memory waits for the answer.
  if (isRefused) return <Navigate to="/" replace />;
  if (pages.length === 0)
    return answer === 'lost' ? (
      <Result status="warning" title="没有问到您的权限" extra={<Button onClick={ask}>重试</Button>} />
    ) : null;
  if (!ALWAYS_ALLOWED_PAGES.includes(path) && !pages.includes(path)) return <Navigate to="/admin" replace />;
  return (
    <>
      <Outlet />
      {isEnded ? <LoginDialog ended={ended} /> : null}
    </>
  );
}

function leaveBackOffice() {
  const { ended, hasDialog } = useEndedSession.getState();
  useEndedSession.setState({ hasDialog: false, ended: null });
  // A link to a public page removes the dialog that reported the end.
  if (ended && hasDialog) showSessionEndedToast();
}
