import type { PublicSettings } from './settings.contract.ts';

/** The way in, which leads nowhere else. */
const LOGIN_PATHS = ['/login', '/register', '/findpassword'];

type Rules = {
  footer: PublicSettings['footer'];
  security: Pick<PublicSettings['security'], 'is_close'>;
};

/** Whether a page is shown to people to whom the rest of the site is not open. */
export function isPublicPath(pathname: string, { footer, security }: Rules): boolean {
  if (LOGIN_PATHS.includes(pathname.replace(/\/+$/, ''))) return true;
  // The terms and the way to the operator are linked below the login form, so they can be read.
  const isLinked = pathname.startsWith('/article/') && Object.values(footer).includes(pathname);
  return isLinked && !security.is_close;
}
