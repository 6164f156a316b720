import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';

const CHANNEL = 'douku_changed';
const RECONNECT_MS = 1000;
const CONNECT_TIMEOUT_MS = 5000;

/**
 * Notifies all nodes, when the transaction of `db` commits, that `name` has changed: caches drop the value of this name, and
 * listeners, such as the workers of a queue with this name, read again what they are waiting for.
 */
export const notifyInvalidation = (db: Pick<Db, 'execute'>, name: string) =>
  db.execute(sql`select pg_notify(${CHANNEL}, ${name})`);

export type LiveCache = {
  get<T>(name: string, load: () => Promise<T>): Promise<T>;
  /** Calls `listener` when any node, including this one, invalidates `name`. */
  onInvalidation(name: string, listener: () => void): () => void;
  /** Calls `listener` with every invalidated name, and with null if notifications may have been missed. */
  onAnyInvalidation(listener: (name: string | null) => void): () => void;
  /** Drops a value on this node immediately, so that the request that changed it reads the new value. */
  invalidateLocally(name: string): void;
  close(): Promise<void>;
};

/**
 * Caches values until any node invalidates them. While the listening connection is down nothing is cached, so a node
 * that receives no notifications never serves stale values.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export async function openLiveCache(connectionString: string, log: Log): Promise<LiveCache> {
  const values = new Map<string, Promise<unknown>>();
  const listeners = new Map<string, Set<() => void>>();
  const anyNameListeners = new Set<(name: string | null) => void>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let connectPromise = Promise.resolve();
  let reconnectTimer: NodeJS.Timeout | undefined;

  const invalidate = (name: string) => {
    values.delete(name);
    for (const listener of listeners.get(name) ?? []) listener();
  };
  const notifyAnyNameListeners = (name: string | null) => {
    for (const listener of anyNameListeners) listener(name);
  };

  async function connect(): Promise<void> {
    const newClient = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    newClient.on('notification', ({ payload = '' }) => {
      invalidate(payload);
      notifyAnyNameListeners(payload);
    });
    newClient.on('error', (error) => log.warn({ err: error }, 'the live cache lost its connection'));
    newClient.on('end', () => {
      if (client !== newClient) return;
      client = null;
      values.clear();
      notifyAnyNameListeners(null);
      scheduleReconnect();
    });
    try {
      await newClient.connect();
      await newClient.query(`listen ${CHANNEL}`);
    } catch (error) {
      await newClient.end();
      throw error;
    }
    // The cache was closed during the connect: close() does not know this client.
    if (isClosed) return newClient.end();
    values.clear();
    client = newClient;
    for (const name of listeners.keys()) invalidate(name);
    notifyAnyNameListeners(null);
  }
  function scheduleReconnect() {
    if (!isClosed) reconnectTimer = setTimeout(reconnect, RECONNECT_MS);
  }
  function reconnect() {
    connectPromise = connect().catch((error) => {
      log.warn({ err: error }, 'the live cache cannot connect');
      scheduleReconnect();
    });
  }

  await connect();
  return {
    get<T>(name: string, load: () => Promise<T>): Promise<T> {
      const cachedValue = values.get(name);
      if (cachedValue) return cachedValue as Promise<T>;
      const newValue = load();
      if (client) {
        values.set(name, newValue);
        newValue.catch(() => {
          if (values.get(name) === newValue) values.delete(name);
        });
      }
      return newValue;
    },
    onInvalidation(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    onAnyInvalidation(listener) {
      anyNameListeners.add(listener);
      return () => anyNameListeners.delete(listener);
    },
    invalidateLocally(name) {
      values.delete(name);
      notifyAnyNameListeners(name);
    },
    async close() {
      isClosed = true;
      clearTimeout(reconnectTimer);
      await connectPromise;
      await client?.end();
    },
  };
}
