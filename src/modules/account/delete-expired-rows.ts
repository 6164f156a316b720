import { lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { captchas } from '#modules/captcha/captcha.table.ts';
import { mails } from '#modules/mail/mail.table.ts';
import type { Context } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { emailCodes, passwordResets, sessions } from './account.table.ts';

const MAIL_RETENTION_DAYS = 90;

export const deleteExpiredRows = defineJob({
  name: 'delete-expired-rows',
  input: z.object({}),
  run: async (ctx: Context) => {
    const now = ctx.now().toISOString();
    const oldestMailTime = new Date(ctx.now().getTime() - MAIL_RETENTION_DAYS * 86_400_000).toISOString();
    await ctx.db.delete(sessions).where(lt(sessions.expires_at, now));
    await ctx.db.delete(passwordResets).where(lt(passwordResets.expires_at, now));
    await ctx.db.delete(emailCodes).where(lt(emailCodes.expires_at, now));
    await ctx.db.delete(captchas).where(lt(captchas.expires_at, now));
    await ctx.db.delete(mails).where(lt(mails.created_at, oldestMailTime));
    await ctx.db.execute(sql`delete from rate_limits where resets_at < ${now}`);
  },
});
