/** Pages of people who are not logged in: nothing to return to. */
const FOR_GUESTS = ['/login', '/register', '/findpassword'];

/** Where to go after a login: a path of this site, never another site. */
export function safeRedirect(wanted: string | null, fallback = '/'): string {
  // Any base will do: a wanted address that leaves it leaves the site.
  const base = 'http://site.invalid';
  if (!wanted?.startsWith('/')) return fallback;
  const url = URL.parse(wanted, base);
  if (!url || url.origin !== base || FOR_GUESTS.includes(url.pathname)) return fallback;
  return url.pathname + url.search + url.hash;
}
