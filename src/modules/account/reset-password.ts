import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import * as z from 'zod/mini';
import { checkCaptcha } from '#modules/captcha/captcha.ts';
import { enqueueMail } from '#modules/mail/mail.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { siteAddress } from '#modules/settings/site-address.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { enforceRateLimit, rateLimitAddress } from '#platform/server/http/rate-limit.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { userErrors } from './account.contract.ts';
import { passwordResets, users } from './account.table.ts';
import { findAccountByNameOrEmail } from './login.ts';
import { hashPassword } from './password.ts';
import { endSessions } from './session.ts';

const LIMIT_WINDOW_SECONDS = 15 * 60;
const ATTEMPT_LIMIT = { max: 20, seconds: LIMIT_WINDOW_SECONDS };
/** Protects the mailbox: further requests get the same answer and send no mail. */
const MAX_UNUSED_LINKS = 3;

const hashToken = (token: string) => createHash('sha256').update(token).digest();

/** A job, so that the duration of the request does not reveal whether an account has the address. */
export const mailPasswordReset = defineJob({
  name: 'mail-password-reset',
  input: z.object({ email: z.string() }),
  run: async (ctx: Context, { email }) => {
    const account = await findAccountByNameOrEmail(ctx, email);
    if (!account || account.email.toLowerCase() !== email.toLowerCase()) return;
    const { system, email: emailSettings } = await getSettings(ctx);
    const token = randomBytes(32).toString('base64url');
    const minutes = emailSettings.duration;
    await inTransaction(ctx, async (ctx) => {
      const now = ctx.now();
      const unusedLinks = await ctx.db
        .select({ id: passwordResets.id })
        .from(passwordResets)
        .where(and(eq(passwordResets.user_id, account.id), gt(passwordResets.expires_at, now.toISOString())));
      if (unusedLinks.length >= MAX_UNUSED_LINKS) return;
      await ctx.db.insert(passwordResets).values({
        user_id: account.id,
        token_hash: hashToken(token),
        expires_at: new Date(now.getTime() + minutes * 60_000).toISOString(),
      });
      const query = new URLSearchParams({ token, email: account.email });
      const link = `${await siteAddress(ctx)}/findpassword?${query}`;
      await enqueueMail(ctx, {
        to: account.email,
        subject: `找回密码 - ${system.sitename}`,
        paragraphs: [
          `${account.username}，您好：`,
          `您（或有人以您的名义）在${system.sitename}申请重设密码。请在 ${minutes} 分钟内打开下面的链接设置新密码，链接只能使用一次：`,
          link,
          '如果不是您本人的操作，请忽略这封邮件，您的密码不会改变。',
        ],
      });
    });
  },
});

export async function requestPasswordReset(
  ctx: Context,
  input: { email: string; captcha?: string; captcha_id?: string },
) {
  await checkCaptcha(ctx, 'find_password', input);
  const { security } = await getSettings(ctx);
  await enforceRateLimit(ctx, `reset-mail:${rateLimitAddress(ctx.client.ip)}`, {
    max: security.reset_limit_address,
    seconds: LIMIT_WINDOW_SECONDS,
  });
  await ctx.jobs.send(mailPasswordReset, { email: input.email }, { db: ctx.db });
  return {};
}

export async function resetPassword(
  ctx: Context,
  input: { email: string; token: string; password: string; captcha?: string; captcha_id?: string },
) {
  await checkCaptcha(ctx, 'find_password', input);
  await enforceRateLimit(ctx, `reset:${rateLimitAddress(ctx.client.ip)}`, ATTEMPT_LIMIT);
  const password_hash = await hashPassword(input.password);
  await inTransaction(ctx, async (ctx) => {
    // Deleted in the same statement that reads it: of two concurrent uses only one finds the row.
    const [reset] = await ctx.db
      .delete(passwordResets)
      .where(eq(passwordResets.token_hash, hashToken(input.token)))
      .returning();
    if (!reset || reset.expires_at <= ctx.now().toISOString()) throw userErrors.badToken();
    const [account] = await ctx.db.select().from(users).where(eq(users.id, reset.user_id));
    if (account?.email.toLowerCase() !== input.email.toLowerCase()) throw userErrors.badToken();
    await ctx.db.update(users).set({ password_hash }).where(eq(users.id, account.id));
    await ctx.db.delete(passwordResets).where(eq(passwordResets.user_id, account.id));
    await endSessions(ctx, account.id);
  });
  return {};
}
