import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { permissionTitle } from '#modules/access/access.ts';
import { gateErrors } from '#modules/access/site-gate.contract.ts';
import { articleApi } from '#modules/article/article.contract.ts';
import { isCounted } from '#modules/settings/counted-pages.contract.ts';
import { isOpenPage } from '#modules/settings/open-pages.contract.ts';
import { getPublicSettings, getSettings } from '#modules/settings/settings.ts';
import type { Endpoint, InputOf, OutputOf } from '#platform/contract/endpoint.ts';
import { type AppError, httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { type Guard, parseInput, runRoute, visitorOf } from '#platform/server/http.ts';
import { apiRoutes } from './routes.ts';
import { contentSecurityPolicy, countingPolicy, embeddable } from './security-headers.ts';
import { refusalOf } from './site-gate.ts';
import { robots, sitemap } from './sitemap.ts';

/** What the server-rendered pages get from us; see entry.server.tsx. */
type PageContext = {
  api: <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;
  nonce: string;
  report: (error: unknown) => void;
};
type ClosedPage = {
  sitename: string;
  favicon: string;
  statement: string;
  /** Where the login leads back to. */
  path: string;
  stylesheets: string[];
  nonce: string;
};
type WebBuild = ServerBuild & {
  entry: {
    module: {
      provideContext(values: PageContext): RouterContextProvider;
      renderClosed(values: ClosedPage): string;
    };
  };
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** Never from the Host header: what a stranger sends must not reach a link. */
const ORIGIN = 'http://douku.invalid';

/** Calls an endpoint in this process, as a visitor. */
function visitorApi(ctx: Context, admit: Guard['admit']): PageContext['api'] {
  const table = new Map(
    apiRoutes.map((entry) => [`${entry.endpoint.method} ${entry.endpoint.path}`, entry]),
  );
  return async <E extends Endpoint>({ method, path }: E, input: InputOf<E>) => {
    const entry = table.get(`${method} ${path}`);
    if (!entry) throw httpErrors.notFound();
    const result = await runRoute(entry, ctx, { admit, titleOf: permissionTitle }, () =>
      parseInput(entry.endpoint, input, input, {}),
    );
    return result as OutputOf<E>;
  };
}

/** The reader alone, for pages of others. */
const isEmbedded = (url: string) => /^\/document\/[0-9a-f]+\?(?:[^#]*&)?embed=1(?:&|$)/.test(url);

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';

/** The browser's files and the server-rendered public site. */
export async function pages(
  app: FastifyInstance,
  { ctx, folder }: { ctx: Context; folder: string },
): Promise<void> {
  const build: WebBuild = await import(pathToFileURL(join(folder, 'server/index.js')).href);
  const handle = createRequestHandler(build, 'production');

  await app.register(async (files) => {
    // The same for everybody, and the login page is made of them.
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, gate: 'open' };
    });
    await files.register(fastifyStatic, {
      root: join(folder, 'client'),
      wildcard: false,
      preCompressed: true,
      index: false,
      setHeaders: (reply, path) => {
        const immutable = path.includes('/client/assets/');
        const age = immutable
          ? `public, max-age=${YEAR_SECONDS}, immutable`
          : 'public, max-age=3600';
        reply.header('cache-control', age);
      },
    });
  });
  app.get('/favicon.ico', { config: { gate: 'open' } }, async (_, reply) => {
    const { system } = await getSettings(ctx);
    return reply.redirect(system.favicon || '/favicon.svg', 302);
  });
  app.get('/robots.txt', { config: { gate: 'own' } }, async (request, reply) => {
    const refusal = await refusalOf(ctx, request);
    if (gateErrors.closed.is(refusal)) throw refusal;
    return reply.type('text/plain').send(await robots(ctx, refusal === null));
  });
  app.get('/sitemap.xml', async (_, reply) =>
    reply.type('application/xml').send(await sitemap(ctx)),
  );

  /** To the login, or the page that says why there is nothing to see. */
  const refuse = async (refusal: AppError, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    if (!gateErrors.closed.is(refusal)) {
      const back = request.url === '/' ? '' : `?redirect=${encodeURIComponent(request.url)}`;
      return reply.redirect(`/login${back}`, 302);
    }
    const { system } = await getPublicSettings(ctx);
    const page = build.entry.module.renderClosed({
      sitename: system.sitename,
      favicon: system.favicon,
      statement: refusal.message,
      path: request.url,
      stylesheets: build.assets.routes.root?.css ?? [],
      nonce: request.nonce,
    });
    reply.header('retry-after', refusal.retryAfter);
    return reply.status(refusal.status).type('text/html; charset=utf-8').send(page);
  };

  const render = async (request: FastifyRequest, reply: FastifyReply) => {
    const refusal = await refusalOf(ctx, request);
    // A program asked, not a person: it gets the refusal it can read.
    if (/^\/api(\/|\?|$)/.test(request.url)) throw refusal ?? httpErrors.notFound();
    const settings = await getSettings(ctx);
    if (refusal && !isOpenPage(pathOf(request), settings)) return refuse(refusal, request, reply);
    const admit: Guard['admit'] = async (_, endpoint) => {
      // Beyond the way in only single pages are shown, and each of them reads itself alone.
      if (refusal && !endpoint.open && endpoint !== articleApi.get) throw refusal;
    };
    const visitor = visitorOf(ctx, request);
    const aborted = new AbortController();
    request.raw.once('close', () => request.raw.readableAborted && aborted.abort());
    const page = await handle(
      new Request(ORIGIN + request.url, {
        method: request.method,
        headers: { accept: 'text/html', 'user-agent': visitor.client.userAgent },
        signal: aborted.signal,
      }),
      build.entry.module.provideContext({
        // Nobody has come yet: what is drawn here may be shown to many, and looked at by none.
        api: visitorApi({ ...visitor, client: { ip: '', userAgent: '' } }, admit),
        nonce: request.nonce,
        report: (error) => request.log.error({ err: error }, 'page failed'),
      }),
    );
    const isPlain = !(settings.system.analytics && isCounted(pathOf(request)));
    const policy = (isPlain ? contentSecurityPolicy : countingPolicy)(request.nonce);
    if (isEmbedded(request.url)) reply.removeHeader('x-frame-options');
    reply.header('content-security-policy', isEmbedded(request.url) ? embeddable(policy) : policy);
    for (const [name, value] of page.headers) reply.header(name, value);
    if (!page.headers.has('cache-control')) reply.header('cache-control', 'no-cache');
    reply.status(page.status);
    return reply.send(page.body ? Readable.fromWeb(page.body as never) : '');
  };
  app.route({ method: ['GET', 'HEAD'], url: '/*', config: { gate: 'own' }, handler: render });
}
