import type { ViteDevServer } from 'vite';
import { projectRoot } from '#platform/server/config.ts';
import type { PageSource, WebBuild } from './render-page.ts';

/** Virtual module of the React Router plugin with all routes. */
const SERVER_BUILD_MODULE = 'virtual:react-router/server-build';

/**
 * Serves pages from their sources for `npm run dev`: Vite transforms them on request and reports changes to the browser
 * over a web socket on the port of the site.
 */
export function createDevPages(): PageSource {
  const { promise: vite, resolve } = Promise.withResolvers<ViteDevServer>();
  return {
    isImmutable: false,
    async load() {
      const server = await vite;
      const build = (await server.ssrLoadModule(SERVER_BUILD_MODULE)) as WebBuild;
      return { build, handle: build.entry.module.createRequestHandler(build, 'development') };
    },
    stylesheetsOf: () => ['/src/app/web/app.css?direct'],
    async serveFiles(app) {
      // Vite is a development dependency and not installed in production.
      const { createServer } = await import('vite');
      const server = await createServer({
        root: projectRoot,
        appType: 'custom',
        server: { middlewareMode: true, hmr: { server: app.server } },
      });
      app.addHook('onRequest', (request, reply, callback) => {
        server.middlewares(request.raw, reply.raw, callback);
      });
      app.addHook('onClose', () => server.close());
      resolve(server);
    },
  };
}
