import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';

export const USERS_CACHE_KEY = 'users';

/** Call it in the transaction that changes what others see of users: any cached page may show a name or an avatar. */
export const announceUserChange = ({ db }: Pick<Context, 'db'>) => notifyInvalidation(db, USERS_CACHE_KEY);

/** Call it in the transaction that changes what only the pages of this user show. */
export const announceUserPagesChange = ({ db }: Pick<Context, 'db'>, userId: number) =>
  notifyInvalidation(db, `user:${userId}`);
