import { randomUUID } from 'node:crypto';
import { eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

const RENEWAL_MS = 5_000;

/**
 * A lease of one row, for work that lasts longer than a transaction may: column values and conditions for the statements
 * that take, renew, use and release it. The lease of a killed process expires, and another one takes the row.
 */
export function createRowLease(table: { lease_token: PgColumn; lease_until: PgColumn }, seconds: number) {
  const lease_token = randomUUID();
  const lease_until = sql`now() + make_interval(secs => ${seconds})`;
  return {
    isFree: or(isNull(table.lease_until), lt(table.lease_until, sql`now()`)),
    isHeld: eq(table.lease_token, lease_token),
    takenValues: { lease_token, lease_until },
    renewedValues: { lease_until },
    releasedValues: { lease_token: null, lease_until: null },
  };
}

/** Renews a lease until the returned function is called. A failed renewal is repeated: a lease outlasts several. */
export function renewLease(renew: () => Promise<unknown>, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    renew().catch(onError);
  }, RENEWAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
