import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';

const CHANNEL = 'douku_changed';
const RECONNECT_MS = 1000;
const CONNECT_TIMEOUT_MS = 5000;

/** Announces, with the transaction that changed it, that cached values under `name` are stale. */
export const announceChange = (db: Pick<Db, 'execute'>, name: string) =>
  db.execute(sql`select pg_notify(${CHANNEL}, ${name})`);

export type LiveCache = {
  get<T>(name: string, load: () => Promise<T>): Promise<T>;
  /** Calls back whenever `name` is announced by any node, this one included. */
  onChange(name: string, listener: () => void): () => void;
  /** Calls back with every name announced, and with null when announcements may have been missed. */
  onAnyChange(listener: (name: string | null) => void): () => void;
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
  const followers = new Set<(name: string | null) => void>();
  let client: pg.Client | null = null;
  let closed = false;
  let connecting = Promise.resolve();
  let waiting: NodeJS.Timeout | undefined;

  const changed = (name: string) => {
    values.delete(name);
    for (const listener of listeners.get(name) ?? []) listener();
  };
  const tellAll = (name: string | null) => {
    for (const follower of followers) follower(name);
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    next.on('notification', ({ payload = '' }) => {
      changed(payload);
      tellAll(payload);
    });
    next.on('error', (error) => log.warn({ err: error }, 'change listener lost its connection'));
    next.on('end', () => {
      if (client !== next) return;
      client = null;
      values.clear();
      tellAll(null);
      reconnectLater();
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch (error) {
      await next.end();
      throw error;
    }
    // Closed while we were connecting: nobody else knows of this connection.
    if (closed) return next.end();
    values.clear();
    client = next;
    for (const name of listeners.keys()) changed(name);
    tellAll(null);
  }
  function reconnectLater() {
    if (!closed) waiting = setTimeout(reconnect, RECONNECT_MS);
  }
  function reconnect() {
    connecting = connect().catch((error) => {
      log.warn({ err: error }, 'change listener cannot connect');
      reconnectLater();
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
    onAnyChange(listener) {
      followers.add(listener);
      return () => followers.delete(listener);
    },
    forget(name) {
      values.delete(name);
      tellAll(name);
    },
    async close() {
      closed = true;
      clearTimeout(waiting);
      await connecting;
      await client?.end();
    },
  };
}
