/** Pages that only visitors use; a logged-in user is not sent back to them. */
const VISITOR_ONLY_PATHS = ['/login', '/register', '/findpassword'];

/** The path to open after a login. It never leads to another site. */
export function safeRedirect(requestedPath: string | null, fallback = '/'): string {
  // The base is arbitrary: a path that resolves to another origin leaves the site.
  const base = 'http://site.invalid';
  if (!requestedPath?.startsWith('/')) return fallback;
  const url = URL.parse(requestedPath, base);
  if (!url || url.origin !== base || VISITOR_ONLY_PATHS.includes(url.pathname)) return fallback;
  return url.pathname + url.search + url.hash;
}
