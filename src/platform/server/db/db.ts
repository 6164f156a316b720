import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { DEFAULT_REQUEST_TIMEOUT_MS } from '../config.ts';
import { type CallStore, callWithoutHangDetection, StoreUnresponsiveError } from '../hang-detector.ts';
import type { Log } from '../log.ts';
import { DrizzlePool } from './drizzle-pool.ts';

/** Queries run on a connection pool or on one transaction. */
export type Db = Pick<
  NodePgDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'transaction'
>;

type PoolOptions = { max?: number; requestTimeoutMs?: number };

/** Statements, and the wait for a free connection, end before the request that needs them. */
export function createPool(
  connectionString: string,
  log: Log,
  { max = 20, requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS }: PoolOptions = {},
): pg.Pool {
  const statementTimeoutMs = (requestTimeoutMs * 5) / 6;
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: requestTimeoutMs / 2,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'douku',
  });
  // Without a listener, a broken idle connection would end the process. The next query opens another connection.
  pool.on('error', (error) => log.warn({ err: error }, 'lost an idle database connection'));
  // The same for a connection that breaks between two statements of a transaction: the next statement fails.
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ err: error }, 'lost a database connection')));
  return pool;
}

/** With `callStore` of a hang detector, queries are aborted if the server hangs. */
export const createDb = (pool: pg.Pool, callStore: CallStore = callWithoutHangDetection) =>
  // Drizzle uses only `query` and `connect` of a pool.
  drizzle(new DrizzlePool(pool, callStore) as unknown as pg.Pool);

/** Drizzle wraps the error of the driver. */
export const unwrapCause = (error: unknown): { code?: unknown; constraint?: unknown; message?: unknown } => {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return (typeof cause === 'object' && cause) || {};
};

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: violatedConstraint } = unwrapCause(error);
  return code === '23505' && violatedConstraint === constraint;
}

/** Another row still refers to this row, or the row that it refers to does not exist. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: violatedConstraint } = unwrapCause(error);
  return code === '23503' && violatedConstraint === constraint;
}

/** True for errors after which the same request may succeed a moment later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = unwrapCause(error);
  if (cause instanceof StoreUnresponsiveError) return cause.store === 'postgres';
  const { code, message } = cause;
  const text = String(message ?? '');
  return (
    // Server stopping or starting, connection limit, connection lost, statement timeout, deadlock, serialization failure.
    ['57P01', '57P02', '57P03', '55000', '53300', '08006', '08001', '08003', '57014', '40P01', '40001'].includes(
      String(code),
    ) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(String(code)) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered/.test(text)
  );
}

/** PostgreSQL rejected a value that the client sent: out of range, bad encoding, bad format. */
export const isInvalidValueError = (error: unknown): boolean =>
  /^22(003|007|008|021|P02|P05|023|001)$/.test(String(unwrapCause(error).code));

/** An array literal of PostgreSQL, which needs only one query parameter for any number of values. */
export const toArrayLiteral = (numbers: readonly number[]): string => `{${numbers.join(',')}}`;
