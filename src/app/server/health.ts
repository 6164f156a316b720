import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Storage } from '#platform/server/storage/storage.ts';

const CHECK_TIMEOUT_MS = 3_000;

async function within<T>(work: Promise<T>): Promise<boolean> {
  const late = new Promise<false>((resolve) =>
    setTimeout(resolve, CHECK_TIMEOUT_MS, false).unref(),
  );
  return Promise.race([work.then(() => true), late]).catch(() => false);
}

/** A look at the storage may write a file; however many ask, one look serves all for a while. */
const STORAGE_LOOK_MS = 5_000;

function occasionally(look: () => Promise<boolean>): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let found = Promise.resolve(false);
  return () => {
    if (performance.now() - lookedAt >= STORAGE_LOOK_MS) {
      lookedAt = performance.now();
      found = look();
    }
    return found;
  };
}

/** /healthz: the process lives. /readyz: it can also serve, for it reaches what it stands on. */
export async function health(
  app: FastifyInstance,
  { pool, storage, isDraining }: { pool: pg.Pool; storage: Storage; isDraining: () => boolean },
) {
  const isStorageReady = occasionally(() => within(storage.check()));
  app.get('/healthz', { config: { gate: 'open' } }, async (_, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', { config: { gate: 'open' } }, async (_, reply) => {
    const [database, files] = await Promise.all([within(pool.query('select 1')), isStorageReady()]);
    const ready = database && files && !isDraining();
    reply.header('cache-control', 'no-store').status(ready ? 200 : 503);
    if (!ready) reply.header('retry-after', 5);
    return {
      status: ready ? 'ok' : 'unavailable',
      database: database ? 'ok' : 'unavailable',
      storage: files ? 'ok' : 'unavailable',
    };
  });
}
