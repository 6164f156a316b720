import { useLocation } from 'react-router';

const NOTHING_TO_RETURN_TO = ['/', '/login', '/register', '/findpassword', '/404'];

/** The login, which leads back to where one is. */
export function useLoginHref() {
  const { pathname, search } = useLocation();
  if (NOTHING_TO_RETURN_TO.includes(pathname)) return '/login';
  return `/login?redirect=${encodeURIComponent(pathname + search)}`;
}
