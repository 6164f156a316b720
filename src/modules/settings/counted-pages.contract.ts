/** Where people type passwords or administer, no script of others runs. */
const UNCOUNTED = ['/admin', '/login', '/register', '/findpassword'];

/** Whether the analytics script may run on a page. */
export const isCounted = (pathname: string) =>
  !UNCOUNTED.some((path) => pathname === path || pathname.startsWith(`${path}/`));
