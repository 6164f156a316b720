import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Context } from '#platform/server/context.ts';
import { isOutOfSpace } from '#platform/server/out-of-space.ts';

const CHECK_TIMEOUT_MS = 3_000;

type State = 'ok' | 'full' | 'unavailable';

async function stateOf(check: Promise<unknown>): Promise<State> {
  const late = new Promise<State>((resolve) =>
    setTimeout(resolve, CHECK_TIMEOUT_MS, 'unavailable').unref(),
  );
  const state = check.then(
    (): State => 'ok',
    (error): State => (isOutOfSpace(error) ? 'full' : 'unavailable'),
  );
  return Promise.race([state, late]);
}

/** A look at the storage may write a file; however many ask, one look serves all for a while. */
const STORAGE_LOOK_MS = 5_000;

function occasionally(look: () => Promise<State>): () => Promise<State> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let state = Promise.resolve<State>('unavailable');
  return () => {
    if (performance.now() - lookedAt >= STORAGE_LOOK_MS) {
      lookedAt = performance.now();
      state = look();
    }
    return state;
  };
}

/**
 * /healthz: the process lives. /readyz: it can also serve, for it reaches what it stands on. A full
 * storage still serves readers, so it is reported and does not take the node away from them.
 */
export async function health(
  app: FastifyInstance,
  { ctx, isDraining }: { ctx: Context; isDraining: () => boolean },
) {
  const storageState = occasionally(() => stateOf(ctx.storage.check()));
  app.get('/healthz', { config: { gate: 'open' } }, async (_, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', { config: { gate: 'open' } }, async (_, reply) => {
    const [database, storage] = await Promise.all([
      stateOf(ctx.db.execute(sql`select 1`)),
      storageState(),
    ]);
    const ready = database === 'ok' && storage !== 'unavailable' && !isDraining();
    reply.header('cache-control', 'no-store').status(ready ? 200 : 503);
    if (!ready) reply.header('retry-after', 5);
    return { status: ready ? 'ok' : 'unavailable', database, storage };
  });
}
