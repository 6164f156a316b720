import { randomInt } from 'node:crypto';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { enqueueMail } from '#modules/mail/mail.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { enforceRateLimit, rateLimitAddress, recordAttempt } from '#platform/server/http/rate-limit.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { userErrors } from './account.contract.ts';
import { emailCodes, users } from './account.table.ts';
import { hashPassword, verifyPassword } from './password.ts';

const CODE_LIFETIME_MINUTES = 10;
const MAX_TRIES = 5;
const LIMIT_PER_CLIENT = { max: 20, seconds: 15 * 60 };
const LIMIT_PER_MAILBOX = { max: 5, seconds: 60 * 60 };
const RESEND_LIMIT = { max: 1, seconds: 60 };

const mailTexts = {
  register: {
    request: '您（或有人以您的名义）正在用这个邮箱注册账户。',
    addressInUse: '有人想用这个邮箱注册账户，而它已经属于您的账户。如果是您本人忘了密码，可以在登录页找回。',
  },
  change_email: {
    request: '您（或有人以您的名义）正在把这个邮箱设为账户的联系邮箱。',
    addressInUse: '有人想把这个邮箱设为自己账户的联系邮箱，而它已经属于您的账户。',
  },
} as const;
type Purpose = keyof typeof mailTexts;

/** A code is valid for one purpose, one address and, unless it is for a registration, one account. */
type CodeScope = { purpose: Purpose; email: string; userId?: number };

const matchesScope = ({ purpose, email, userId = 0 }: CodeScope) =>
  and(eq(emailCodes.purpose, purpose), eq(emailCodes.email, email.toLowerCase()), eq(emailCodes.user_id, userId));

/**
 * A job, so that the duration of the request does not reveal whether an account has the address. If one does, the mail
 * warns its owner and contains no code.
 */
export const mailEmailCode = defineJob({
  name: 'mail-email-code',
  input: z.object({
    purpose: z.enum(['register', 'change_email']),
    email: z.string(),
    userId: z.optional(z.int()),
  }),
  run: async (ctx: Context, scope) => {
    const { system } = await getSettings(ctx);
    const { request, addressInUse } = mailTexts[scope.purpose];
    const email = scope.email.toLowerCase();
    const [owner] = await ctx.db
      .select({ username: users.username, email: users.email })
      .from(users)
      .where(eq(sql`lower(${users.email})`, email));
    if (owner)
      return enqueueMail(ctx, {
        to: owner.email,
        subject: `邮箱使用提醒 - ${system.sitename}`,
        paragraphs: [
          `${owner.username}，您好：`,
          `在${system.sitename}，${addressInUse}`,
          '您的账户没有任何改变，不需要做什么。',
        ],
      });
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const newCode = {
      // A slow hash: six digits under a fast one could be recovered from a backup.
      code_hash: await hashPassword(code),
      tries: 0,
      expires_at: new Date(ctx.now().getTime() + CODE_LIFETIME_MINUTES * 60_000).toISOString(),
    };
    await inTransaction(ctx, async (ctx) => {
      await ctx.db
        .insert(emailCodes)
        .values({ purpose: scope.purpose, email, user_id: scope.userId ?? 0, ...newCode })
        .onConflictDoUpdate({
          target: [emailCodes.purpose, emailCodes.email, emailCodes.user_id],
          set: newCode,
        });
      await enqueueMail(ctx, {
        to: scope.email,
        subject: `邮箱验证码 - ${system.sitename}`,
        paragraphs: [
          '您好：',
          `在${system.sitename}，${request}验证码是：`,
          code,
          `请在 ${CODE_LIFETIME_MINUTES} 分钟内填写。如果不是您本人的操作，请忽略这封邮件，也不要把验证码告诉别人。`,
        ],
      });
    });
  },
});

/** Limits the mails to each mailbox. The answer is the same for addresses with and without an account. */
export async function requestEmailCode(ctx: Context, scope: CodeScope): Promise<void> {
  const email = scope.email.toLowerCase();
  await enforceRateLimit(ctx, `email-code:${rateLimitAddress(ctx.client.ip)}`, LIMIT_PER_CLIENT);
  const { hits, waitSeconds } = await recordAttempt(ctx, `email-code-pause:${email}`, RESEND_LIMIT);
  if (hits > RESEND_LIMIT.max) throw httpErrors.tooManyRequests(`发送太频繁，请 ${waitSeconds} 秒后再试`, waitSeconds);
  await enforceRateLimit(ctx, `email-code-to:${email}`, LIMIT_PER_MAILBOX);
  await ctx.jobs.send(mailEmailCode, scope, { db: ctx.db });
}

/**
 * Throws when the code is wrong, expired or was tried MAX_TRIES times. Do not call it inside a transaction: a rollback
 * would undo the counting of a wrong try. `consumeEmailCode` then deletes the correct code.
 */
export async function verifyEmailCode(ctx: Context, scope: CodeScope, input: string): Promise<void> {
  const code = input.normalize('NFKC').replace(/\s/g, '');
  if (code === '') throw userErrors.emailCodeNeeded();
  const [row] = await ctx.db
    .update(emailCodes)
    .set({ tries: sql`${emailCodes.tries} + 1` })
    .where(
      and(matchesScope(scope), lt(emailCodes.tries, MAX_TRIES), gt(emailCodes.expires_at, ctx.now().toISOString())),
    )
    .returning();
  if (!(await verifyPassword(row?.code_hash, code)) || !row) throw userErrors.wrongEmailCode();
  await ctx.db
    .update(emailCodes)
    .set({ tries: sql`greatest(${emailCodes.tries} - 1, 0)` })
    .where(eq(emailCodes.id, row.id));
}

/** Deletes a verified code in the transaction that it permits; of two concurrent uses the second one throws. */
export async function consumeEmailCode(ctx: Context, scope: CodeScope): Promise<void> {
  const deletedCodes = await ctx.db.delete(emailCodes).where(matchesScope(scope)).returning({ id: emailCodes.id });
  if (deletedCodes.length === 0) throw userErrors.wrongEmailCode();
}
