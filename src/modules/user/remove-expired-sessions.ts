import { lt } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs.ts';
import { sessions } from './user.table.ts';

export const removeExpiredSessions = defineJob({
  name: 'remove-expired-sessions',
  input: z.object({}),
  run: async (ctx: Context) => {
    await ctx.db.delete(sessions).where(lt(sessions.expires_at, ctx.now().toISOString()));
  },
});
