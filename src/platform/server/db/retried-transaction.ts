import { setTimeout as sleep } from 'node:timers/promises';
import { PgTransaction } from 'drizzle-orm/pg-core';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, inTransaction } from '../context.ts';

const MAX_ATTEMPTS = 10;
const PAUSE_STEP_MS = 50;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** PostgreSQL aborted the transaction because of another one; a retry may succeed. */
function isConflict(error: unknown): boolean {
  const { code } = ((error as Error)?.cause ?? error) as { code?: unknown };
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/**
 * Runs `work` in a transaction and retries it on a serialization failure or a deadlock, so `work` may run more than once.
 * Inside a transaction `work` runs once: only the outermost transaction can be retried.
 */
export async function inRetriedTransaction<C extends Context, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  if (ctx.db instanceof PgTransaction) return inTransaction(ctx, work);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(ctx, work);
    } catch (error) {
      if (!isConflict(error)) throw error;
      ctx.log.warn({ err: error, attempt }, 'transaction conflict');
      if (attempt === MAX_ATTEMPTS) throw httpErrors.unavailable(undefined, 1);
      await sleep(Math.random() * PAUSE_STEP_MS * attempt);
    }
  }
}
