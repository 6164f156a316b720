import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Log } from '../log.ts';
import { type CallStore, StoreUnresponsive } from '../store-watch.ts';
import { RequestPool } from './request-pool.ts';

/** A connection pool or one transaction: what queries run on. */
export type Db = Pick<
  NodePgDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'transaction'
>;

const STATEMENT_TIMEOUT_MS = 25_000;
/** Also how long a request waits for its turn when very many come at once. */
const CONNECT_TIMEOUT_MS = 15_000;

export function createPool(connectionString: string, log: Log, max = 20): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'douku',
  });
  // An idle connection that breaks must not take the process down; the next query opens another.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  // Nor one that breaks between two statements of a transaction; its next statement fails.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.warn({ err: error }, 'a database connection broke')),
  );
  return pool;
}

export const createDb = (pool: pg.Pool) => drizzle(pool);

/** The same database for requests, which do not wait for a server that hangs. */
export const createRequestDb = (pool: pg.Pool, callStore: CallStore) =>
  // Drizzle uses `query` and `connect` of a pool and nothing else.
  drizzle(new RequestPool(pool, callStore) as unknown as pg.Pool);

/** The cause behind drizzle's wrapper. */
export const causeOf = (error: unknown): { code?: unknown; constraint?: unknown; message?: unknown } => {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return (typeof cause === 'object' && cause) || {};
};

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = causeOf(error);
  return code === '23505' && violated === constraint;
}

/** Something still refers to the row, or what it refers to is gone. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = causeOf(error);
  return code === '23503' && violated === constraint;
}

/** The database cannot serve this now, but may in a moment. */
export function isDatabaseDown(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof StoreUnresponsive) return cause.store === 'postgres';
  const { code, message } = cause;
  const text = String(message ?? '');
  return (
    // Stopping, starting, closed, full, unreachable; cut off by our own time limit; in each other's way.
    ['57P01', '57P02', '57P03', '55000', '53300', '08006', '08001', '08003', '57014', '40P01', '40001'].includes(
      String(code),
    ) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(String(code)) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered/.test(text)
  );
}

/** The value cannot be stored (out of range, bad encoding): the caller's fault, not ours. */
export const isBadValue = (error: unknown): boolean =>
  /^22(003|007|008|021|P02|P05|023|001)$/.test(String(causeOf(error).code));

/** Numbers as the database reads an array: one parameter, however many there are. */
export const arrayText = (numbers: readonly number[]): string => `{${numbers.join(',')}}`;
