import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { ALWAYS_ALLOWED_PAGES } from '#modules/access/permission-map.contract.ts';
import { refreshPermissions, useSession } from '#modules/access/web/session.ts';
import { cleanPath } from './admin-paths.ts';

/**
 * No token or no allowed page: home. A page that is not allowed: /admin. The permissions are asked
 * for anew whenever the back-office opens; the server checks every call besides.
 */
export function AdminGuard() {
  const path = cleanPath(useLocation().pathname);
  const { token, pages } = useSession();
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (token) refreshPermissions().finally(() => setAsked(true));
  }, [token]);

  if (!token) return <Navigate to="/" replace />;
  // What this browser remembers opens the door at once; an empty memory waits for the answer.
  if (pages.length === 0) return asked ? <Navigate to="/" replace /> : null;
  if (!ALWAYS_ALLOWED_PAGES.includes(path) && !pages.includes(path))
    return <Navigate to="/admin" replace />;
  return <Outlet />;
}
