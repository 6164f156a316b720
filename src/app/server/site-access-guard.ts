import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSiteAccessToken } from '#modules/account/session.ts';
import { setPageImageCookie } from '#modules/reading/serve-page-images.ts';
import { authenticate, authenticateSiteAccessToken } from '#modules/role/authenticate.ts';
import { assertSiteOpen, isSiteRestricted } from '#modules/role/site-access.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { SITE_COOKIE_OPTIONS } from '#platform/server/http/cookie-options.ts';
import { bearerToken, visitorContext } from '#platform/server/http/route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `public`: always served. `handler`: the handler checks site access. By default the hook below checks it. */
    siteAccess?: 'public' | 'handler';
  }
}

export const ACCESS_COOKIE = 'douku_pass';
const ACCESS_COOKIE_SECONDS = 30 * 24 * 60 * 60;

const accessCookieIn = ({ cookies }: FastifyRequest): string => cookies[ACCESS_COOKIE] ?? '';

/** Authenticates a request for a page or a file by its token, or by the site access cookie of the browser. */
async function authenticateByTokenOrCookie(base: Context, request: FastifyRequest): Promise<Context> {
  const visitor = visitorContext(base, request);
  const token = bearerToken(request);
  const user = token
    ? await authenticate(visitor, token)
    : await authenticateSiteAccessToken(visitor, accessCookieIn(request));
  return { ...visitor, user };
}

/** Returns the error if site access is denied for a page or a file, otherwise null. */
export async function siteAccessRefusal(ctx: Context, request: FastifyRequest): Promise<AppError | null> {
  if (!(await isSiteRestricted(ctx))) return null;
  try {
    await assertSiteOpen(await authenticateByTokenOrCookie(ctx, request));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/**
 * Sets the site access cookie while the site is restricted, and deletes it when a page calls the API without a token. The
 * API does not read the cookie. The cookie for page images is always set: the browser sends it only to /view, so the API
 * cannot see whether the browser has it.
 */
export async function updateSiteAccessCookies(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const currentValue = accessCookieIn(request);
  const token = bearerToken(request);
  if (ctx.user && token) setPageImageCookie(reply, ctx.user.sessionId, token);
  if (ctx.user && token && (await isSiteRestricted(ctx))) {
    const newValue = createSiteAccessToken(ctx.user.sessionId, token);
    if (currentValue !== newValue)
      reply.setCookie(ACCESS_COOKIE, newValue, { ...SITE_COOKIE_OPTIONS, maxAge: ACCESS_COOKIE_SECONDS });
  } else if (currentValue && request.headers.accept === 'application/json') {
    // The request comes from a page of this site, not from an opened link.
    reply.clearCookie(ACCESS_COOKIE, SITE_COOKIE_OPTIONS);
  }
}

/** True for the pictures of the login page. */
async function isLoginAsset(ctx: Context, url: string): Promise<boolean> {
  const { system } = await getSettings(ctx);
  const { logo, favicon, login_background, register_background } = system;
  return [logo, favicon, login_background, register_background].includes(url.split('?')[0] ?? '');
}

/** Checks site access before every route that does not set `config.siteAccess`. */
export function registerSiteAccessGuard(app: FastifyInstance, ctx: Context): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.siteAccess) return;
    const refusal = await siteAccessRefusal(ctx, request);
    if (refusal && !(await isLoginAsset(ctx, request.url))) throw refusal;
  });
  // Shared caches must not store responses of a restricted site.
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.config.siteAccess === 'public') return;
    // If the settings cannot be read, the site counts as restricted.
    if (!(await isSiteRestricted(ctx).catch(() => true))) return;
    const cacheControl = String(reply.getHeader('cache-control') ?? 'no-cache');
    if (!cacheControl.includes('no-store'))
      reply.header('cache-control', `private, ${cacheControl.replace(/public,\s*/, '')}`);
  });
}
