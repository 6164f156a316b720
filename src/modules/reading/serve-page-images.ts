import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSiteAccessToken } from '#modules/account/session.ts';
import { type PageImageLink, verifyPageImageUrl } from '#modules/conversion/page-image-urls.ts';
import { authenticate, authenticateSiteAccessToken } from '#modules/role/authenticate.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { SITE_COOKIE_OPTIONS } from '#platform/server/http/cookie-options.ts';
import { bearerToken, visitorContext } from '#platform/server/http/route.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { canViewPageImage, canViewPageImageUncached } from './page-image-rights.ts';

type Request = FastifyRequest<{ Params: { '*': string }; Querystring: { e?: string; s?: string } }>;

/** Valid only for page images: the browser sends it with requests below /view. */
const COOKIE_NAME = 'douku_view';
const COOKIE_SECONDS = 30 * 24 * 60 * 60;
/** Shared caches revalidate after this time, so that they do not outlive a revoked right. */
const SHARED_CACHE_SECONDS = 10;

/** Identifies the session in image requests, which carry no token. */
export function setPageImageCookie(reply: FastifyReply, sessionId: number, token: string): void {
  const options = { ...SITE_COOKIE_OPTIONS, path: '/view', maxAge: COOKIE_SECONDS };
  reply.setCookie(COOKIE_NAME, createSiteAccessToken(sessionId, token), options);
}

/** Browsers identify themselves with the cookie, API clients with their token. */
export async function authenticatePageImageRequest(visitor: Context, request: FastifyRequest): Promise<Context> {
  const token = bearerToken(request);
  const cookieToken = request.cookies[COOKIE_NAME] ?? '';
  const user = token ? await authenticate(visitor, token) : await authenticateSiteAccessToken(visitor, cookieToken);
  return { ...visitor, user };
}

/** Images that every visitor may see are publicly cacheable, others only by the reader's browser. */
async function cacheControlFor(ctx: Context, request: Request, link: PageImageLink): Promise<string> {
  const visitor = visitorContext(ctx, request);
  const maxAge = `max-age=${link.seconds}, immutable`;
  if (await canViewPageImage(visitor, link)) return `public, s-maxage=${SHARED_CACHE_SECONDS}, ${maxAge}`;
  const caller = await authenticatePageImageRequest(visitor, request);
  if ((await canViewPageImage(caller, link)) || (await canViewPageImageUncached(caller, link)))
    return `private, ${maxAge}`;
  throw httpErrors.forbidden('您没有权限查看此页，请刷新页面');
}

/** The signed link names an image; the right to see it is checked on every request. */
export async function servePageImages(app: FastifyInstance, { ctx }: { ctx: Context }) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/view/*',
    // Images are compressed already.
    compress: false,
    handler: async (request: Request, reply) => {
      const { e: expires = '', s: signature = '' } = request.query;
      const link = await verifyPageImageUrl(ctx, {
        path: request.params['*'],
        expires: String(expires),
        signature: String(signature),
      });
      if (!link) throw httpErrors.forbidden('链接已失效，请刷新页面');
      const cacheControl = await cacheControlFor(ctx, request, link);
      // The file of a key never changes.
      const etag = `"${link.key}"`;
      reply.headers({ 'cache-control': cacheControl, etag, 'x-content-type-options': 'nosniff' });
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
