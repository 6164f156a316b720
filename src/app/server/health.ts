import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Context } from '#platform/server/context.ts';
import type { StorageState } from '#platform/server/storage/storage-state.ts';

const CHECK_LIMIT_MS = 3_000;

async function isInTime(work: Promise<unknown>): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, CHECK_LIMIT_MS, false).unref());
  return Promise.race([work.then(() => true), late]).catch(() => false);
}

type Options = {
  ctx: Context;
  storageState: () => Promise<StorageState>;
  isDraining: () => boolean;
};

/**
 * /healthz: the process lives. /readyz: it can also serve, for it reaches what it stands on. A full
 * storage still serves readers, so it is reported and does not take the node away from them.
 */
export async function health(app: FastifyInstance, { ctx, storageState, isDraining }: Options) {
  app.get('/healthz', { config: { siteAccess: 'public' } }, async (_, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', { config: { siteAccess: 'public' } }, async (_, reply) => {
    const [database, storage] = await Promise.all([isInTime(ctx.db.execute(sql`select 1`)), storageState()]);
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
