import { PgTransaction } from 'drizzle-orm/pg-core';
import { type Context, inTransaction } from '../context.ts';
import type { Db } from '../db/db.ts';
import { notifyInvalidation } from './live-cache.ts';

/**
 * Reads a value from the live cache, or loads and caches it. Inside a transaction the value is always loaded: uncommitted
 * data must not be cached, and the transaction must not wait for a second connection.
 */
export const readThroughLiveCache = <T>(ctx: Context, name: string, load: (db: Db) => Promise<T>): Promise<T> =>
  ctx.db instanceof PgTransaction ? load(ctx.db) : ctx.liveCache.get(name, () => load(ctx.db));

/**
 * Runs `work` in a transaction that changes the data of the cached value `name`. Other nodes are notified at the commit;
 * this node invalidates the value immediately, so that the caller reads what it wrote.
 */
export async function changeAndInvalidate<C extends Context, T>(
  ctx: C,
  name: string,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(ctx, async (ctx) => {
    const result = await work(ctx);
    await notifyInvalidation(ctx.db, name);
    return result;
  });
  ctx.liveCache.invalidateLocally(name);
  return result;
}
