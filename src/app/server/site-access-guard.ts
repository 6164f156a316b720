import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSiteAccessToken } from '#modules/account/session.ts';
import { viewCookie } from '#modules/reading/serve-page-files.ts';
import { authenticate, authenticateSiteAccessToken } from '#modules/role/authenticate.ts';
import { assertSiteOpen, isSiteRestricted } from '#modules/role/site-access.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { bearerToken, visitorOf } from '#platform/server/http/route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `open`: for everybody, always. `own`: the route asks by itself. By default the gate asks. */
    gate?: 'open' | 'own';
  }
}

const COOKIE = 'douku_pass';
const COOKIE_SECONDS = 30 * 24 * 60 * 60;

const passIn = ({ headers }: FastifyRequest): string =>
  new RegExp(`(?:^|;\\s*)${COOKIE}=([^;\\s]+)`).exec(headers.cookie ?? '')?.[1] ?? '';

/** Who opens a page or a file: by token as everywhere, or by the pass a browser brings along. */
async function callerOf(base: Context, request: FastifyRequest): Promise<Context> {
  const visitor = visitorOf(base, request);
  const token = bearerToken(request);
  const user = token ? await authenticate(visitor, token) : await authenticateSiteAccessToken(visitor, passIn(request));
  return { ...visitor, user };
}

/** Why a page or a file is not shown to whoever asks; null when it is. */
export async function refusalOf(ctx: Context, request: FastifyRequest): Promise<AppError | null> {
  if (!(await isSiteRestricted(ctx))) return null;
  try {
    await assertSiteOpen(await callerOf(ctx, request));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/**
 * The pass follows the token of the calls a page makes: given while the site asks who comes in, taken
 * back once they come without one. The API itself never looks at it. The cookie for images is always
 * given: the browser sends it to /view alone, so this cannot see whether it has one.
 */
export async function handOutPass(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const held = passIn(request);
  const token = bearerToken(request);
  if (ctx.user && token)
    reply.header('set-cookie', viewCookie(ctx.user.sessionId, token, request.protocol === 'https'));
  const rules = `Path=/; HttpOnly; SameSite=Lax${request.protocol === 'https' ? '; Secure' : ''}`;
  if (ctx.user && token && (await isSiteRestricted(ctx))) {
    const pass = createSiteAccessToken(ctx.user.sessionId, token);
    if (held !== pass) reply.header('set-cookie', `${COOKIE}=${pass}; Max-Age=${COOKIE_SECONDS}; ${rules}`);
  } else if (held && request.headers.accept === 'application/json') {
    // Asked by a page of ours, not by a link somebody has opened.
    reply.header('set-cookie', `${COOKIE}=; Max-Age=0; ${rules}`);
  }
}

/** Pictures that the login page is dressed with. */
async function isDress(ctx: Context, url: string): Promise<boolean> {
  const { system } = await getSettings(ctx);
  const { logo, favicon, login_background, register_background } = system;
  return [logo, favicon, login_background, register_background].includes(url.split('?')[0] ?? '');
}

/** Asks before every route that does not say otherwise; a new one is closed unless it does. */
export function siteAccessGuard(app: FastifyInstance, ctx: Context): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.gate) return;
    const refusal = await refusalOf(ctx, request);
    if (refusal && !(await isDress(ctx, request.url))) throw refusal;
  });
  // What not everybody may see is no business of a cache that serves everybody.
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.config.gate === 'open') return;
    // Settings that cannot be read close the site; the request itself has failed for that reason.
    if (!(await isSiteRestricted(ctx).catch(() => true))) return;
    const rule = String(reply.getHeader('cache-control') ?? 'no-cache');
    if (!rule.includes('no-store')) reply.header('cache-control', `private, ${rule.replace(/public,\s*/, '')}`);
  });
}
