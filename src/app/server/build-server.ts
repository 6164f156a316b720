import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { serveUploads } from '#modules/attachment/serve-uploads.ts';
import { serveReviewDownload } from '#modules/document/review/review-download.ts';
import { serveDownload } from '#modules/download/serve-download.ts';
import { serveFeeds } from '#modules/feed/serve-feeds.ts';
import { redirectPageFiles } from '#modules/reading/redirect-page-files.ts';
import { servePageFiles } from '#modules/reading/serve-page-files.ts';
import { authenticate, permissionTitle } from '#modules/role/authenticate.ts';
import { permissionCatalogue } from '#modules/role/permission-catalogue.ts';
import { assertSiteOpen } from '#modules/role/site-access.ts';
import { serveSitemap } from '#modules/sitemap/serve-sitemap.ts';
import { tusPlugin } from '#modules/upload/tus.ts';
import { permissionOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { acceptEmptyJson } from '#platform/server/http/empty-json.ts';
import { answerErrors } from '#platform/server/http/error-response.ts';
import { type Guard, mount, type Route } from '#platform/server/http/route.ts';
import { storageStateOf } from '#platform/server/storage/storage-state.ts';
import { apiDocs } from './api-docs.ts';
import { answerBadAddress } from './bad-address.ts';
import { answerClientError } from './client-error.ts';
import { fieldLabels } from './field-labels.ts';
import { health } from './health.ts';
import { markWriter } from './html-cache.ts';
import { metrics } from './metrics.ts';
import { pages } from './pages.ts';
import { createRenderer, type PageSource } from './render-page.ts';
import { requestContext } from './request-context.ts';
import { apiRoutes } from './routes.ts';
import { newRequestId, securityHeaders } from './security-headers.ts';
import { handOutPass, siteAccessGuard } from './site-access-guard.ts';

const BODY_LIMIT = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Files may take this long to come in; what else comes slowly meets the limit of its handler. */
const UPLOAD_TIMEOUT_MS = 2 * 60 * 60 * 1000;

/** An endpoint guarded by a permission nobody can hold would be closed for ever: refuse to start. */
function checkDeclarations(routes: Route[]): void {
  const known = new Set(permissionCatalogue.map(({ name }) => name));
  for (const { endpoint } of routes) {
    const { access, method, path } = endpoint;
    if (!access) throw new Error(`${method} ${path} declares no access`);
    const permission = permissionOf(access);
    if (permission !== null && !known.has(permission))
      throw new Error(`${method} ${path} names the unknown permission ${permission}`);
  }
}

const guard: Guard = {
  authenticate,
  meet: async (ctx, request, reply) => {
    await handOutPass(ctx, request, reply);
    markWriter(ctx, request, reply);
  },
  admit: async (ctx, { open }) => {
    if (!open) await assertSiteOpen(ctx);
  },
  titleOf: permissionTitle,
  labels: fieldLabels,
};

export async function buildServer(
  base: Context,
  pool: pg.Pool,
  options: { log: Logger; pages: PageSource | null; isDraining?: () => boolean },
): Promise<FastifyInstance> {
  checkDeclarations(apiRoutes);
  const { ctx, stop } = requestContext(base, pool);
  const renderer = options.pages ? createRenderer(options.pages) : null;
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: ctx.config.trustedProxies.length > 0 ? ctx.config.trustedProxies : false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    handlerTimeout: REQUEST_TIMEOUT_MS,
    // Requests that arrive on open connections while we stop are still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: newRequestId,
    clientErrorHandler: answerClientError,
    frameworkErrors: answerBadAddress(ctx, renderer),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false },
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  answerErrors(app);
  app.addHook('onClose', async () => stop());
  const { isDraining = () => false } = options;
  // Clients are told to leave before the connection is closed under them.
  app.addHook('onSend', async (_, reply) => {
    if (isDraining()) reply.header('connection', 'close');
  });
  securityHeaders(app);
  siteAccessGuard(app, ctx);
  const storageState = storageStateOf(ctx.storage);
  metrics(app, ctx.config, storageState);
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] });
  await apiDocs(app);
  await app.register(health, { ctx, storageState, isDraining });
  await app.register(serveUploads, { storage: ctx.storage });
  await app.register(servePageFiles, { ctx });
  await app.register(redirectPageFiles, { ctx });
  await app.register(serveReviewDownload, { ctx });
  await app.register(serveDownload, { ctx });
  await app.register(serveSitemap, { ctx });
  await app.register(serveFeeds, { ctx });
  await app.register(
    async (api) => {
      await api.register(multipart);
      acceptEmptyJson(api);
      // Our own gate in http.ts checks what comes in and goes out; Fastify's schemas only document.
      api.setValidatorCompiler(() => () => true);
      api.setSerializerCompiler(() => (data) => JSON.stringify(data));
      await api.register(tusPlugin, { ctx, authenticate });
      await api.register(async (endpoints) => {
        // They say by themselves which of them stay open; see `guard`.
        endpoints.addHook('onRoute', (route) => {
          route.config = { ...route.config, gate: 'own' };
        });
        mount(endpoints, ctx, guard, apiRoutes);
      });
    },
    { prefix: '/api/v1' },
  );
  if (renderer) await app.register(pages, { ctx, renderer });
  return app;
}
