import { Socket } from 'node:net';
import pg from 'pg';
import type { CallStore } from '../hang-detector.ts';
import { createStatementNames, isOutdatedPlan } from './prepared-statements.ts';

type StatementNames = ReturnType<typeof createStatementNames>;

/** Connects and runs an empty query, which fails to finish if the server hangs. */
export const probeDatabase = (connectionString: string) => async (signal: AbortSignal) => {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString,
    application_name: 'douku-probe',
    stream: () => socket,
  });
  // The abort raises an error event, which would end the process without a listener.
  client.on('error', () => {});
  // `client.end()` waits for the server, so each probe of a server that hangs would leave a socket open.
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await client.connect();
  await client.query('select 1');
};

/** A connection of the pool, for one query or one transaction. */
class DrizzleClient {
  private isReleased = false;
  private readonly client: pg.PoolClient;
  private readonly callStore: CallStore;
  private readonly nameOf: StatementNames;
  constructor(client: pg.PoolClient, callStore: CallStore, nameOf: StatementNames) {
    this.client = client;
    this.callStore = callStore;
    this.nameOf = nameOf;
  }
  async query(query: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    const config = typeof query === 'string' ? { text: query } : query;
    try {
      return await this.callStore((signal) => {
        // The transaction may still be open, so the connection is closed instead of reused.
        signal.addEventListener('abort', () => this.release(true), { once: true });
        return this.client.query({ ...config, name: this.nameOf(config.text) }, values);
      });
    } catch (error) {
      // Drizzle does not release a connection on which no transaction could be begun.
      if (/^begin\b/.test(config.text) || isOutdatedPlan(error)) this.release(true);
      throw error;
    }
  }
  release(isBroken = false): void {
    if (!this.isReleased) this.client.release(isBroken);
    this.isReleased = true;
  }
}

/**
 * The pool that Drizzle uses. Its calls are aborted if the server hangs, it prepares frequent statements, and it gets
 * every connection back, also after a failed `begin`. The name ends in Pool because Drizzle recognizes pools by the name
 * of their class.
 */
export class DrizzlePool {
  private readonly pool: pg.Pool;
  private readonly callStore: CallStore;
  private readonly nameOf = createStatementNames();
  constructor(pool: pg.Pool, callStore: CallStore) {
    this.pool = pool;
    this.callStore = callStore;
  }
  async connect(): Promise<DrizzleClient> {
    const connectPromise = this.pool.connect();
    try {
      return new DrizzleClient(await this.callStore(() => connectPromise), this.callStore, this.nameOf);
    } catch (error) {
      connectPromise.then(
        (client) => client.release(),
        () => {},
      );
      throw error;
    }
  }
  async query(query: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    // Each failure closes a connection with an outdated plan, so that the last attempt gets a new connection.
    for (let attemptsLeft = this.pool.options.max; ; attemptsLeft--)
      try {
        return await this.queryOnce(query, values);
      } catch (error) {
        if (!isOutdatedPlan(error) || attemptsLeft === 0) throw error;
      }
  }
  private async queryOnce(query: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    const client = await this.connect();
    try {
      return await client.query(query, values);
    } finally {
      client.release();
    }
  }
}
