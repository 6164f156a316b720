import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { PageSource, WebBuild } from './render-page.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

export async function loadBuiltPages(folder: string): Promise<PageSource> {
  const build: WebBuild = await import(pathToFileURL(join(folder, 'server/index.js')).href);
  const handle = build.entry.module.createRequestHandler(build, 'production');
  return {
    isImmutable: true,
    load: async () => ({ build, handle }),
    stylesheetsOf: ({ assets }) => assets.routes.root?.css ?? [],
    async serveFiles(app) {
      await app.register(async (files) => {
        // The files are public, and the login page needs them.
        files.addHook('onRoute', (route) => {
          route.config = { ...route.config, siteAccess: 'public' };
        });
        await files.register(fastifyStatic, {
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
      });
    },
  };
}
