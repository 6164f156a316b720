import type { FastifyInstance, FastifyRequest } from 'fastify';
import { siteAccessTokenOf } from '#modules/account/session.ts';
import { type ViewLink, verifyViewUrl } from '#modules/conversion/view-urls.ts';
import { authenticate, authenticateSiteAccessToken } from '#modules/role/authenticate.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { bearerToken, visitorOf } from '#platform/server/http/route.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { mayView } from './page-file-rights.ts';

type Request = FastifyRequest<{ Params: { '*': string }; Querystring: { e?: string; s?: string } }>;

/** Sent by the browser with images alone; it opens nothing else. */
const COOKIE = 'douku_view';
const COOKIE_SECONDS = 30 * 24 * 60 * 60;
const COOKIE_VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;\\s]+)`);
/** A shared cache asks again after this, so that it does not outlive a right. */
const SHARED_SECONDS = 10;

/** The cookie by which the browser of a logged-in user shows its rights when it loads images. */
export const viewCookie = (sessionId: number, token: string, isSecure: boolean): string =>
  `${COOKIE}=${siteAccessTokenOf(sessionId, token)}; Max-Age=${COOKIE_SECONDS}; Path=/view; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** The account of a request for an image: a browser sends a cookie with it, a program its token. */
export async function viewCaller(visitor: Context, request: FastifyRequest): Promise<Context> {
  const token = bearerToken(request);
  const pass = COOKIE_VALUE.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const user = token ? await authenticate(visitor, token) : await authenticateSiteAccessToken(visitor, pass);
  return { ...visitor, user };
}

/** Images that every visitor may see may be cached for all; others only by the browser of their reader. */
async function cacheRule(ctx: Context, request: Request, link: ViewLink): Promise<string> {
  const visitor = visitorOf(ctx, request);
  const maxAge = `max-age=${link.seconds}, immutable`;
  if (await mayView(visitor, link)) return `public, s-maxage=${SHARED_SECONDS}, ${maxAge}`;
  if (await mayView(await viewCaller(visitor, request), link)) return `private, ${maxAge}`;
  throw httpErrors.forbidden('您没有权限查看此页，请刷新页面');
}

/** Images of documents. The link names one; whether it may be seen is decided now. */
export async function serveView(app: FastifyInstance, { ctx }: { ctx: Context }) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/view/*',
    // Images are compressed already.
    compress: false,
    handler: async (request: Request, reply) => {
      const { e: expires = '', s: signature = '' } = request.query;
      const link = await verifyViewUrl(ctx, {
        path: request.params['*'],
        expires: String(expires),
        signature: String(signature),
      });
      if (!link) throw httpErrors.forbidden('链接已失效，请刷新页面');
      const rule = await cacheRule(ctx, request, link);
      // What lies under a key never changes.
      const etag = `"${link.key}"`;
      reply.headers({ 'cache-control': rule, etag, 'x-content-type-options': 'nosniff' });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      const object = await ctx.storage.get(link.key).catch((error: unknown) => {
        if (error instanceof StorageNotFound) throw httpErrors.notFound('页面还没有转换好');
        throw error;
      });
      reply.headers({
        'content-type': 'image/webp',
        'content-length': object.size,
        'content-security-policy': `default-src 'none'; sandbox`,
      });
      if (request.method === 'HEAD') {
        object.stream.destroy();
        return reply.send();
      }
      return reply.send(object.stream);
    },
  });
}
