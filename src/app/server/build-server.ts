import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { serveUploads } from '#modules/attachment/serve-uploads.ts';
import { serveReviewDownload } from '#modules/document/review/review-download-link.ts';
import { serveDownload } from '#modules/download/serve-download.ts';
import { serveFeeds } from '#modules/feed/serve-feeds.ts';
import { redirectMoredocPageUrls } from '#modules/reading/redirect-moredoc-page-urls.ts';
import { servePageImages } from '#modules/reading/serve-page-images.ts';
import { authenticate, findPermissionTitle } from '#modules/role/authenticate.ts';
import { permissionCatalogue } from '#modules/role/permission-catalogue.ts';
import { assertSiteOpen } from '#modules/role/site-access.ts';
import { serveSitemap } from '#modules/sitemap/serve-sitemap.ts';
import { tusPlugin } from '#modules/upload/tus.ts';
import { permissionOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { acceptEmptyJson } from '#platform/server/http/accept-empty-json.ts';
import { registerErrorHandlers } from '#platform/server/http/error-response.ts';
import { type Guard, mountRoutes, type Route } from '#platform/server/http/route.ts';
import { createStorageStateCheck } from '#platform/server/storage/storage-state.ts';
import { answerUnparsableRequest } from './answer-unparsable-request.ts';
import { registerApiDocs } from './api-docs.ts';
import { fieldLabels } from './field-labels.ts';
import { registerHealthChecks } from './health.ts';
import { createMalformedUrlHandler } from './malformed-url-handler.ts';
import { type ConnectMetrics, registerMetrics } from './metrics.ts';
import { registerPages } from './register-pages.ts';
import { createRenderer, type PageSource } from './render-page.ts';
import { createRequestContext } from './request-context.ts';
import { openResponseCache } from './response-cache.ts';
import { apiRoutes } from './routes.ts';
import { createRequestId, registerSecurityHeaders } from './security-headers.ts';
import { registerSiteAccessGuard, updateSiteAccessCookies } from './site-access-guard.ts';
import { setRecentWriterCookie } from './visitor-cache.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Time limit for receiving an uploaded file. Other slow requests end at the limit of their handler. */
const UPLOAD_TIMEOUT_MS = 2 * 60 * 60 * 1000;

/** An endpoint with an unknown permission could never be called, so the server does not start. */
function assertAccessDeclared(routes: Route[]): void {
  const permissionNames = new Set(permissionCatalogue.map(({ name }) => name));
  for (const { endpoint } of routes) {
    const { access, method, path } = endpoint;
    if (!access) throw new Error(`${method} ${path} declares no access`);
    const permission = permissionOf(access);
    if (permission !== null && !permissionNames.has(permission))
      throw new Error(`${method} ${path} names the unknown permission ${permission}`);
  }
}

const guard: Guard = {
  authenticate,
  onAuthenticated: async (ctx, request, reply) => {
    await updateSiteAccessCookies(ctx, request, reply);
    setRecentWriterCookie(ctx, request, reply);
  },
  checkSiteAccess: async (ctx, { bypassesSiteAccess }) => {
    if (!bypassesSiteAccess) await assertSiteOpen(ctx);
  },
  permissionTitle: findPermissionTitle,
  fieldLabels,
};

type ServerOptions = {
  log: Logger;
  pages: PageSource | null;
  isDraining?: () => boolean;
  /** Whether clients should connect again for their next request. */
  closesConnections?: () => boolean;
  connectMetrics?: ConnectMetrics;
  /** False in tests that change the data of a response without an event. */
  cachesResponses?: boolean;
};

export async function buildServer(base: Context, pool: pg.Pool, options: ServerOptions): Promise<FastifyInstance> {
  assertAccessDeclared(apiRoutes);
  const { ctx, stop } = createRequestContext(base, pool);
  const renderer = options.pages ? createRenderer(options.pages) : null;
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: ctx.config.trustedProxies.length > 0 ? ctx.config.trustedProxies : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    handlerTimeout: ctx.config.requestTimeoutMs,
    // Requests on open connections are still answered while the server stops.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: createRequestId,
    clientErrorHandler: answerUnparsableRequest,
    frameworkErrors: createMalformedUrlHandler(ctx, renderer),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false },
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  registerErrorHandlers(app);
  app.addHook('onClose', async () => stop());
  const { isDraining = () => false, closesConnections = () => false } = options;
  // Clients close their connections before the server does.
  app.addHook('onSend', async (_, reply) => {
    if (isDraining() || closesConnections()) reply.header('connection', 'close');
  });
  registerSecurityHeaders(app);
  await app.register(cookie);
  registerSiteAccessGuard(app, ctx);
  const storageState = createStorageStateCheck(ctx.storage);
  const responseCache = openResponseCache(ctx, options.cachesResponses);
  app.addHook('onClose', async () => responseCache.stop());
  registerMetrics(app, ctx.config, storageState, options.connectMetrics);
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] });
  await registerApiDocs(app);
  await app.register(registerHealthChecks, { ctx, storageState, isDraining });
  await app.register(serveUploads, { storage: ctx.storage });
  await app.register(servePageImages, { ctx });
  await app.register(redirectMoredocPageUrls, { ctx });
  await app.register(serveReviewDownload, { ctx });
  await app.register(serveDownload, { ctx });
  await app.register(serveSitemap, { ctx });
  await app.register(serveFeeds, { ctx });
  await app.register(
    async (api) => {
      await api.register(multipart);
      acceptEmptyJson(api);
      // Routes validate input and output themselves (route.ts); the schemas of Fastify are only for the OpenAPI document.
      api.setValidatorCompiler(() => () => true);
      api.setSerializerCompiler(() => (data) => JSON.stringify(data));
      await api.register(tusPlugin, { ctx, authenticate });
      await api.register(async (endpoints) => {
        // Endpoints are checked by `guard`.
        endpoints.addHook('onRoute', (route) => {
          route.config = { ...route.config, siteAccess: 'handler' };
        });
        mountRoutes(endpoints, ctx, { guard, responseCache }, apiRoutes);
      });
    },
    { prefix: '/api/v1' },
  );
  if (renderer) await app.register(registerPages, { ctx, renderer });
  return app;
}
