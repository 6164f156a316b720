import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { articleApi } from '#modules/article/article.contract.ts';
import { siteAccessErrors } from '#modules/role/site-access.contract.ts';
import { isSiteRestricted } from '#modules/role/site-access.ts';
import { isPublicPath } from '#modules/settings/public-paths.contract.ts';
import { getPublicSettings, getSettings } from '#modules/settings/settings.ts';
import { type AppError, httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { RETRY_SECONDS } from '#platform/server/http/error-response.ts';
import { type Guard, visitorContext } from '#platform/server/http/route.ts';
import { registerAnalyticsFrame } from './analytics-frame.ts';
import { createErrorPageHandler, isApiPath } from './error-page.ts';
import { openHtmlCache } from './html-cache.ts';
import type { Renderer } from './render-page.ts';
import { robotsTxt } from './robots-txt.ts';
import { isEmbedded, nonceSource, pageSecurityPolicy } from './security-headers.ts';
import { siteAccessRefusal } from './site-access-guard.ts';

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';

export async function registerPages(
  app: FastifyInstance,
  { ctx, renderer }: { ctx: Context; renderer: Renderer },
): Promise<void> {
  const cache = openHtmlCache(ctx, renderer);
  app.addHook('onClose', async () => cache.stop());

  await renderer.source.serveFiles(app);
  app.get('/favicon.ico', { config: { siteAccess: 'public' } }, async (_, reply) => {
    const { system } = await getSettings(ctx);
    return reply.redirect(system.favicon || '/favicon.svg', 302);
  });
  app.get('/robots.txt', { config: { siteAccess: 'handler' } }, async (request, reply) => {
    const refusal = await siteAccessRefusal(ctx, request);
    if (siteAccessErrors.closed.is(refusal)) throw refusal;
    return reply.type('text/plain').send(await robotsTxt(ctx, refusal === null));
  });

  registerAnalyticsFrame(app, ctx);

  const sendRefusal = async (refusal: AppError, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    if (!siteAccessErrors.closed.is(refusal)) {
      const redirectQuery = request.url === '/' ? '' : `?redirect=${encodeURIComponent(request.url)}`;
      return reply.redirect(`/login${redirectQuery}`, 302);
    }
    const { system } = await getPublicSettings(ctx);
    const page = await renderer.renderSiteClosedPage({
      sitename: system.sitename,
      favicon: system.favicon,
      logo: system.logo,
      statement: refusal.message,
      path: request.url,
      nonce: request.nonce,
    });
    reply.header('retry-after', refusal.retryAfter);
    return reply.status(refusal.status).type('text/html; charset=utf-8').send(page);
  };

  const render = async (request: FastifyRequest, reply: FastifyReply) => {
    const refusal = await siteAccessRefusal(ctx, request);
    if (isApiPath(request.url)) throw refusal ?? httpErrors.notFound();
    const settings = await getSettings(ctx);
    if (refusal && !isPublicPath(pathOf(request), settings)) return sendRefusal(refusal, request, reply);
    const checkSiteAccess: Guard['checkSiteAccess'] = async (_, endpoint) => {
      // On a restricted site only login pages and articles are rendered, and an article page reads only itself.
      if (refusal && !endpoint.bypassesSiteAccess && endpoint !== articleApi.get) throw refusal;
    };
    if (isEmbedded(request.url)) reply.removeHeader('x-frame-options');
    const isCacheable = renderer.source.isImmutable && !(await isSiteRestricted(ctx));
    const key = isCacheable ? cache.cacheKeyOf(request) : null;
    if (key !== null) return cache.send(key, request, reply);
    reply.header('content-security-policy', pageSecurityPolicy(request.url, [nonceSource(request.nonce)]));
    const abortController = new AbortController();
    request.raw.once('close', () => request.raw.readableAborted && abortController.abort());
    const page = await renderer.render({
      url: request.url,
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      nonce: request.nonce,
      ctx: visitorContext(ctx, request),
      checkSiteAccess,
      signal: abortController.signal,
    });
    for (const [name, value] of page.headers) reply.header(name, value);
    if (!page.headers.has('cache-control')) reply.header('cache-control', 'no-cache');
    reply.status(page.status);
    if (page.status === 503) reply.header('retry-after', RETRY_SECONDS);
    return reply.send(page.body ? Readable.fromWeb(page.body as never) : '');
  };
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { siteAccess: 'handler' },
    handler: render,
    errorHandler: createErrorPageHandler(ctx, renderer),
  });
}
