/** Pages of people who are not logged in: nothing to return to. */
const VISITOR_ONLY_PATHS = ['/login', '/register', '/findpassword'];

/** Where to go after a login: a path of this site, never another site. */
export function safeRedirect(requestedPath: string | null, fallback = '/'): string {
  // Any base will do: a wanted address that leaves it leaves the site.
  const base = 'http://site.invalid';
  if (!requestedPath?.startsWith('/')) return fallback;
  const url = URL.parse(requestedPath, base);
  if (!url || url.origin !== base || VISITOR_ONLY_PATHS.includes(url.pathname)) return fallback;
  return url.pathname + url.search + url.hash;
}
