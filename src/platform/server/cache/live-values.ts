import { PgTransaction } from 'drizzle-orm/pg-core';
import { type Context, inTransaction } from '../context.ts';
import type { Db } from '../db/db.ts';
import { announceChange } from './live-cache.ts';

/**
 * A value kept in memory until its change is announced. Inside a transaction it is read anew: what
 * is not committed must not be kept, and a second connection must not be waited for.
 */
export const readLive = <T>(ctx: Context, name: string, load: (db: Db) => Promise<T>): Promise<T> =>
  ctx.db instanceof PgTransaction ? load(ctx.db) : ctx.live.get(name, () => load(ctx.db));

/**
 * A transaction that changes what is kept under `name`: other nodes hear of it with the commit, this
 * one forgets at once, so that whoever made the change reads what was written.
 */
export async function changeLive<C extends Context, T>(ctx: C, name: string, work: (ctx: C) => Promise<T>): Promise<T> {
  const result = await inTransaction(ctx, async (ctx) => {
    const result = await work(ctx);
    await announceChange(ctx.db, name);
    return result;
  });
  ctx.live.forget(name);
  return result;
}
