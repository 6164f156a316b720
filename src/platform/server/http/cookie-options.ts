import type { CookieSerializeOptions } from '@fastify/cookie';

/** For cookies of the whole site. `auto` sets Secure when the request came over HTTPS. */
export const SITE_COOKIE_OPTIONS: CookieSerializeOptions = {
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: 'auto',
};
