/** Where to go after a login: a path of this site, never another site. */
export function safeRedirect(wanted: string | null, otherwise = '/'): string {
  // Any base will do: a wanted address that leaves it leaves the site.
  const base = 'http://site.invalid';
  if (!wanted?.startsWith('/')) return otherwise;
  const url = URL.parse(wanted, base);
  if (!url || url.origin !== base || url.pathname === '/login') return otherwise;
  return url.pathname + url.search + url.hash;
}
