import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Db } from './db.ts';
import type { Log } from './log.ts';

const CHANNEL = 'douku_changed';
const RECONNECT_MS = 1000;

/** Announces, with the transaction that changed it, that cached values under `name` are stale. */
export const announceChange = (db: Pick<Db, 'execute'>, name: string) =>
  db.execute(sql`select pg_notify(${CHANNEL}, ${name})`);

export type LiveCache = {
  get<T>(name: string, load: () => Promise<T>): Promise<T>;
  /** Calls back whenever `name` is announced by any node, this one included. */
  onChange(name: string, listener: () => void): () => void;
  /** Drops a value on this node at once, for whoever changed it and reads it next. */
  forget(name: string): void;
  close(): Promise<void>;
};

/**
 * Values kept until any node announces a change. While the listening connection is down nothing is
 * kept, so a node that cannot hear never serves what is stale.
 */
export async function openLiveCache(connectionString: string, log: Log): Promise<LiveCache> {
  const values = new Map<string, Promise<unknown>>();
  const listeners = new Map<string, Set<() => void>>();
  let client: pg.Client | null = null;
  let closed = false;

  const changed = (name: string) => {
    values.delete(name);
    for (const listener of listeners.get(name) ?? []) listener();
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString, keepAlive: true });
    next.on('notification', ({ payload }) => changed(payload ?? ''));
    next.on('error', (error) => log.warn({ err: error }, 'change listener lost its connection'));
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    next.on('end', () => {
      client = null;
      values.clear();
      setTimeout(reconnect, RECONNECT_MS);
    });
    values.clear();
    client = next;
    for (const name of listeners.keys()) changed(name);
  }
  function reconnect() {
    if (closed) return;
    connect().catch((error) => {
      log.warn({ err: error }, 'change listener cannot connect');
      setTimeout(reconnect, RECONNECT_MS);
    });
  }

  await connect();
  return {
    get<T>(name: string, load: () => Promise<T>): Promise<T> {
      const known = values.get(name);
      if (known) return known as Promise<T>;
      const loading = load();
      if (client) {
        values.set(name, loading);
        loading.catch(() => {
          if (values.get(name) === loading) values.delete(name);
        });
      }
      return loading;
    },
    onChange(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    forget: (name) => void values.delete(name),
    async close() {
      closed = true;
      await client?.end();
    },
  };
}
