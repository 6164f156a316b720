import type { LiveCache } from './cache/live-cache.ts';
import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import type { Storage } from './storage/storage.ts';
import type { CallStore } from './store-watch.ts';

export type SessionUser = {
  id: number;
  username: string;
  /** User 1: passes every permission check. */
  root: boolean;
  permissions: ReadonlySet<string>;
  sessionId: number;
};

/** Everything a use case may touch. Built once per process, then per request or job. */
export type Context = {
  db: Db;
  storage: Storage;
  jobs: Jobs;
  /** Values kept in memory until a change of them is announced by any node. */
  live: LiveCache;
  config: Config;
  log: Log;
  now: () => Date;
  /** In which the site writes its times. */
  timeZone: () => Promise<string>;
  /** How the search cluster is called: for a request not longer than it answers at all. */
  callSearch: CallStore;
  user: SessionUser | null;
  /** Where the request came from; empty in jobs and on the command line. */
  client: { ip: string; userAgent: string };
};
export type UserContext = Context & { user: SessionUser };

/** Runs `work` in one transaction. Shadow the name: `inTransaction(ctx, (ctx) => …)`. */
export const inTransaction = <C extends Context, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> =>
  ctx.db.transaction((db) => work({ ...ctx, db }));

/** Whether the caller holds a permission, e.g. `can(ctx, 'CategoryAPI/ListCategory')`. */
export const can = ({ user }: Context, permission: string): boolean =>
  user !== null && (user.root || user.permissions.has(permission));
