import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { permissionTitle } from '#modules/access/access.ts';
import { isCounted } from '#modules/settings/counted-pages.contract.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Endpoint, InputOf, OutputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { parseInput, runRoute } from '#platform/server/http.ts';
import { apiRoutes } from './routes.ts';
import { countingPolicy } from './security-headers.ts';
import { robots, sitemap } from './sitemap.ts';

/** What the server-rendered pages get from us; see entry.server.tsx. */
type PageContext = {
  api: <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;
  nonce: string;
  report: (error: unknown) => void;
};
type WebBuild = ServerBuild & {
  entry: { module: { provideContext(values: PageContext): RouterContextProvider } };
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** Never from the Host header: what a stranger sends must not reach a link. */
const ORIGIN = 'http://douku.invalid';

/** Calls an endpoint in this process, as a visitor. */
function visitorApi(ctx: Context): PageContext['api'] {
  const table = new Map(
    apiRoutes.map((entry) => [`${entry.endpoint.method} ${entry.endpoint.path}`, entry]),
  );
  return async <E extends Endpoint>({ method, path }: E, input: InputOf<E>) => {
    const entry = table.get(`${method} ${path}`);
    if (!entry) throw httpErrors.notFound();
    const result = await runRoute(entry, ctx, permissionTitle, () =>
      parseInput(entry.endpoint, input, input, {}),
    );
    return result as OutputOf<E>;
  };
}

/** The browser's files and the server-rendered public site. */
export async function pages(
  app: FastifyInstance,
  { ctx, folder }: { ctx: Context; folder: string },
): Promise<void> {
  const build: WebBuild = await import(pathToFileURL(join(folder, 'server/index.js')).href);
  const handle = createRequestHandler(build, 'production');

  await app.register(fastifyStatic, {
    root: join(folder, 'client'),
    wildcard: false,
    preCompressed: true,
    index: false,
    setHeaders: (reply, path) => {
      const immutable = path.includes('/client/assets/');
      const age = immutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600';
      reply.header('cache-control', age);
    },
  });
  app.get('/favicon.ico', async (_, reply) => {
    const { system } = await getSettings(ctx);
    return reply.redirect(system.favicon || '/favicon.svg', 302);
  });
  app.get('/robots.txt', async (_, reply) => reply.type('text/plain').send(await robots(ctx)));
  app.get('/sitemap.xml', async (_, reply) =>
    reply.type('application/xml').send(await sitemap(ctx)),
  );

  const render = async (request: FastifyRequest, reply: FastifyReply) => {
    // A program asked, not a person: it gets the refusal it can read.
    if (/^\/api(\/|\?|$)/.test(request.url)) throw httpErrors.notFound();
    const visitor: Context = {
      ...ctx,
      log: request.log,
      client: { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' },
    };
    const aborted = new AbortController();
    request.raw.once('close', () => request.raw.readableAborted && aborted.abort());
    const page = await handle(
      new Request(ORIGIN + request.url, {
        method: request.method,
        headers: { accept: 'text/html', 'user-agent': visitor.client.userAgent },
        signal: aborted.signal,
      }),
      build.entry.module.provideContext({
        api: visitorApi(visitor),
        nonce: request.nonce,
        report: (error) => request.log.error({ err: error }, 'page failed'),
      }),
    );
    const { system } = await getSettings(ctx);
    if (system.analytics && isCounted(request.url.split('?')[0] ?? ''))
      reply.header('content-security-policy', countingPolicy(request.nonce));
    for (const [name, value] of page.headers) reply.header(name, value);
    if (!page.headers.has('cache-control')) reply.header('cache-control', 'no-cache');
    reply.status(page.status);
    return reply.send(page.body ? Readable.fromWeb(page.body as never) : '');
  };
  app.route({ method: ['GET', 'HEAD'], url: '/*', handler: render });
}
