import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSiteAccessToken } from '#modules/account/session.ts';
import { type PageImageLink, verifyPageImageUrl } from '#modules/conversion/page-image-urls.ts';
import { authenticate, authenticateSiteAccessToken } from '#modules/role/authenticate.ts';
import { drawWatermark } from '#modules/watermark/draw-watermark.ts';
import { watermarkText } from '#modules/watermark/watermark-text.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { SITE_COOKIE_OPTIONS } from '#platform/server/http/cookie-options.ts';
import { bearerToken, visitorContext } from '#platform/server/http/route.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { findPageImageAccess, findPageImageAccessUncached, type PageImageAccess } from './page-image-rights.ts';

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

/** `watermark`: the text that is drawn over the image, empty for none. */
type ServedImage = { cacheControl: string; watermark: string };

/** Images that every visitor may see in the same form are publicly cacheable, others only by the reader's browser. */
async function authorizePageImage(ctx: Context, request: Request, link: PageImageLink): Promise<ServedImage> {
  const visitor = visitorContext(ctx, request);
  const maxAge = `max-age=${link.seconds}, immutable`;
  const visitorAccess = await findPageImageAccess(visitor, link);
  const isDrawnFor = (access: PageImageAccess) => access.watermark === 'drawn' && link.isPage;
  if (visitorAccess && !isDrawnFor(visitorAccess))
    return { cacheControl: `public, s-maxage=${SHARED_CACHE_SECONDS}, ${maxAge}`, watermark: '' };
  const caller = await authenticatePageImageRequest(visitor, request);
  const access = (await findPageImageAccess(caller, link)) ?? (await findPageImageAccessUncached(caller, link));
  if (!access) throw httpErrors.forbidden('您没有权限查看此页，请刷新页面');
  return { cacheControl: `private, ${maxAge}`, watermark: isDrawnFor(access) ? await watermarkText(caller) : '' };
}

const IMAGE_HEADERS = { 'content-type': 'image/webp', 'content-security-policy': `default-src 'none'; sandbox` };

const notFoundIfMissing = (error: unknown): never => {
  if (error instanceof StorageNotFound) throw httpErrors.notFound('页面还没有转换好');
  throw error;
};

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
      const { cacheControl, watermark } = await authorizePageImage(ctx, request, link);
      // The file of a key never changes.
      const etag = watermark ? `"${link.key} ${encodeURIComponent(watermark)}"` : `"${link.key}"`;
      reply.headers({ 'cache-control': cacheControl, etag, 'x-content-type-options': 'nosniff' });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      if (watermark && request.method === 'HEAD') return reply.headers(IMAGE_HEADERS).send();
      if (watermark) {
        const load = () => ctx.storage.read(link.key);
        const image = await drawWatermark(link.key, watermark, load).catch(notFoundIfMissing);
        return reply.headers(IMAGE_HEADERS).send(image);
      }
      const object = await ctx.storage.get(link.key).catch(notFoundIfMissing);
      reply.headers({ ...IMAGE_HEADERS, 'content-length': object.size });
      if (request.method === 'HEAD') {
        object.stream.destroy();
        return reply.send();
      }
      return reply.send(object.stream);
    },
  });
}
