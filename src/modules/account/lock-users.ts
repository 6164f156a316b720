import { inArray } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { users } from './account.table.ts';

/**
 * Locks accounts whose counts or credit a transaction will change, always in the order of their ids, to avoid
 * deadlocks between transactions.
 */
export const lockUserRows = (ctx: Context, ids: readonly number[]) =>
  ctx.db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
    .orderBy(users.id)
    .for('no key update');
