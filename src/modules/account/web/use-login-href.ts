import { useLocation } from 'react-router';

const PATHS_WITHOUT_RETURN = ['/', '/login', '/register', '/findpassword', '/404'];

export function useLoginHref() {
  const { pathname, search } = useLocation();
  if (PATHS_WITHOUT_RETURN.includes(pathname)) return '/login';
  return `/login?redirect=${encodeURIComponent(pathname + search)}`;
}
