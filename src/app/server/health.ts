import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Context } from '#platform/server/context.ts';
import type { StorageState } from '#platform/server/storage/storage-state.ts';

const CHECK_TIMEOUT_MS = 3_000;

async function succeedsInTime(work: Promise<unknown>): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, false).unref());
  return Promise.race([work.then(() => true), timeout]).catch(() => false);
}

type Options = {
  ctx: Context;
  storageState: () => Promise<StorageState>;
  isDraining: () => boolean;
};

/**
 * /healthz: the process runs. /readyz: it also reaches database and storage. A full storage still serves readers, so it
 * is reported and does not make the node unavailable.
 */
export async function registerHealthChecks(app: FastifyInstance, { ctx, storageState, isDraining }: Options) {
  app.get('/healthz', { config: { siteAccess: 'public' } }, async (_, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', { config: { siteAccess: 'public' } }, async (_, reply) => {
    const [database, storage] = await Promise.all([succeedsInTime(ctx.db.execute(sql`select 1`)), storageState()]);
    const ready = database && storage !== 'unavailable' && !isDraining();
    reply.header('cache-control', 'no-store').status(ready ? 200 : 503);
    if (!ready) reply.header('retry-after', 5);
    return {
      status: ready ? 'ok' : 'unavailable',
      database: database ? 'ok' : 'unavailable',
      storage,
    };
  });
}
