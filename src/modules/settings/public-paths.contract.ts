import type { PublicSettings } from './settings.contract.ts';

const LOGIN_PATHS = ['/login', '/register', '/findpassword'];

type PublicPathSettings = {
  footer: PublicSettings['footer'];
  security: Pick<PublicSettings['security'], 'is_close'>;
};

/** Whether visitors may open a page while the site is closed or requires a login. */
export function isPublicPath(pathname: string, { footer, security }: PublicPathSettings): boolean {
  if (LOGIN_PATHS.includes(pathname.replace(/\/+$/, ''))) return true;
  // Articles of the footer, such as the terms, are linked below the login form, so visitors can read them.
  const isLinked = pathname.startsWith('/article/') && Object.values(footer).includes(pathname);
  return isLinked && !security.is_close;
}
