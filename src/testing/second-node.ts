import { buildContext } from '#app/server/build-context.ts';
import { buildServer } from '#app/server/build-server.ts';
import { loadBuiltPages } from '#app/server/built-pages.ts';
import { createLog } from '#platform/server/log.ts';
import { onTestOrFileFinished } from './on-test-or-file-finished.ts';
import type { testApp } from './test-app.ts';

type FirstNode = Pick<Awaited<ReturnType<typeof testApp>>, 'ctx' | 'url' | 'clock'>;

/** Starts a second node of the same site in this process, with its own pool, caches and listener. */
export async function startSecondNode(
  { ctx: firstContext, url, clock }: FirstNode,
  { build = null, cachesResponses = false }: { build?: string | null; cachesResponses?: boolean } = {},
) {
  const log = createLog('error');
  const { ctx, pool, close } = await buildContext(firstContext.config, url, log, () => clock.now);
  const pages = build === null ? null : await loadBuiltPages(build);
  const app = await buildServer(ctx, pool, { log, pages, cachesResponses });
  onTestOrFileFinished(async () => {
    await app.close();
    await close();
  });
  return { app, ctx };
}
