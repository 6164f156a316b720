import type { ViteDevServer } from 'vite';
import { projectRoot } from '#platform/server/config.ts';
import type { PageSource, WebBuild } from './render-page.ts';

/** React Router's plugin makes it of all routes. */
const PAGES = 'virtual:react-router/server-build';

/**
 * Pages straight from their sources, for `npm run dev`: Vite transforms them when they are asked for
 * and tells the browser what changed, over a web socket on the port of the site.
 */
export function devPages(): PageSource {
  const { promise: vite, resolve } = Promise.withResolvers<ViteDevServer>();
  return {
    isFixed: false,
    async load() {
      const server = await vite;
      const build = (await server.ssrLoadModule(PAGES)) as WebBuild;
      return { build, handle: build.entry.module.createRequestHandler(build, 'development') };
    },
    stylesheetsOf: () => ['/src/app/web/app.css?direct'],
    async serveFiles(app) {
      // A development dependency: a site in production does without it.
      const { createServer } = await import('vite');
      const server = await createServer({
        root: projectRoot,
        appType: 'custom',
        server: { middlewareMode: true, hmr: { server: app.server } },
      });
      app.addHook('onRequest', (request, reply, done) => {
        server.middlewares(request.raw, reply.raw, done);
      });
      app.addHook('onClose', () => server.close());
      resolve(server);
    },
  };
}
