import type { LiveCache } from './cache/live-cache.ts';
import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import type { CallStore } from './hang-detector.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import type { Storage } from './storage/open-storage.ts';

export type SessionUser = {
  id: number;
  username: string;
  /** True for user 1, who passes every permission check. */
  isRoot: boolean;
  permissions: ReadonlySet<string>;
  sessionId: number;
};

/** The dependencies of a use case. Built once per process; requests and jobs get a copy with their user and log. */
export type Context = {
  db: Db;
  storage: Storage;
  jobs: Jobs;
  liveCache: LiveCache;
  config: Config;
  log: Log;
  now: () => Date;
  /** The time zone in which the site displays times. */
  timeZone: () => Promise<string>;
  /** Runs a call to OpenSearch; in requests the call is aborted if the cluster hangs. */
  callSearch: CallStore;
  user: SessionUser | null;
  /** Empty in jobs and on the command line. */
  client: { ip: string; userAgent: string };
};
export type UserContext = Context & { user: SessionUser };

/** Runs `work` in one transaction. Shadow the name: `inTransaction(ctx, (ctx) => …)`. */
export const inTransaction = <C extends Context, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> =>
  ctx.db.transaction((db) => work({ ...ctx, db }));

/** Example: `hasPermission(ctx, 'CategoryAPI/ListCategory')`. */
export const hasPermission = ({ user }: Context, permission: string): boolean =>
  user !== null && (user.isRoot || user.permissions.has(permission));
