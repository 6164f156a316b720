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
import { type Guard, visitorOf } from '#platform/server/http/route.ts';
import { analyticsFrame } from './analytics-frame.ts';
import { answerFailure, isForPrograms } from './error-page.ts';
import { openHtmlCache } from './html-cache.ts';
import type { Renderer } from './render-page.ts';
import { robots } from './robots.ts';
import { contentSecurityPolicy, embeddable } from './security-headers.ts';
import { refusalOf } from './site-access-guard.ts';

/** The reader alone, for pages of others. */
const isEmbedded = (url: string) => /^\/document\/[0-9a-f]+\?(?:[^#]*&)?embed=1(?:&|$)/.test(url);

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';

/** The browser's files and the server-rendered public site. */
export async function pages(
  app: FastifyInstance,
  { ctx, renderer }: { ctx: Context; renderer: Renderer },
): Promise<void> {
  const cache = openHtmlCache(ctx, renderer);
  app.addHook('onClose', async () => cache.stop());

  await renderer.source.serveFiles(app);
  app.get('/favicon.ico', { config: { gate: 'open' } }, async (_, reply) => {
    const { system } = await getSettings(ctx);
    return reply.redirect(system.favicon || '/favicon.svg', 302);
  });
  app.get('/robots.txt', { config: { gate: 'own' } }, async (request, reply) => {
    const refusal = await refusalOf(ctx, request);
    if (siteAccessErrors.closed.is(refusal)) throw refusal;
    return reply.type('text/plain').send(await robots(ctx, refusal === null));
  });

  analyticsFrame(app, ctx);

  /** To the login, or the page that says why there is nothing to see. */
  const refuse = async (refusal: AppError, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    if (!siteAccessErrors.closed.is(refusal)) {
      const back = request.url === '/' ? '' : `?redirect=${encodeURIComponent(request.url)}`;
      return reply.redirect(`/login${back}`, 302);
    }
    const { system } = await getPublicSettings(ctx);
    const page = await renderer.renderClosed({
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
    const refusal = await refusalOf(ctx, request);
    if (isForPrograms(request.url)) throw refusal ?? httpErrors.notFound();
    const settings = await getSettings(ctx);
    if (refusal && !isPublicPath(pathOf(request), settings)) return refuse(refusal, request, reply);
    const admit: Guard['admit'] = async (_, endpoint) => {
      // Beyond the way in only single pages are shown, and each of them reads itself alone.
      if (refusal && !endpoint.open && endpoint !== articleApi.get) throw refusal;
    };
    const policy = contentSecurityPolicy(request.nonce);
    if (isEmbedded(request.url)) reply.removeHeader('x-frame-options');
    reply.header('content-security-policy', isEmbedded(request.url) ? embeddable(policy) : policy);
    const isCacheable = renderer.source.isFixed && !(await isSiteRestricted(ctx));
    const key = isCacheable ? cache.keyFor(request) : null;
    if (key !== null) return cache.send(key, request, reply);
    const aborted = new AbortController();
    request.raw.once('close', () => request.raw.readableAborted && aborted.abort());
    const page = await renderer.render({
      url: request.url,
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      nonce: request.nonce,
      ctx: visitorOf(ctx, request),
      admit,
      signal: aborted.signal,
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
    config: { gate: 'own' },
    handler: render,
    errorHandler: answerFailure(ctx, renderer),
  });
}
