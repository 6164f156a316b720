import { randomInt } from 'node:crypto';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { enqueueMail } from '#modules/mail/mail.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { addressKey, countAttempt, tallyAttempt } from '#platform/server/http/rate-limit.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { userErrors } from './account.contract.ts';
import { emailCodes, users } from './account.table.ts';
import { hashPassword, verifyPassword } from './password.ts';

const CODE_LIFETIME_MINUTES = 10;
const MAX_TRIES = 5;
const LIMIT_PER_CLIENT = { max: 20, seconds: 15 * 60 };
const LIMIT_PER_MAILBOX = { max: 5, seconds: 60 * 60 };
const RESEND_LIMIT = { max: 1, seconds: 60 };

const purposes = {
  register: {
    wish: '您（或有人以您的名义）正在用这个邮箱注册账户。',
    taken: '有人想用这个邮箱注册账户，而它已经属于您的账户。如果是您本人忘了密码，可以在登录页找回。',
  },
  change_email: {
    wish: '您（或有人以您的名义）正在把这个邮箱设为账户的联系邮箱。',
    taken: '有人想把这个邮箱设为自己账户的联系邮箱，而它已经属于您的账户。',
  },
} as const;
type Purpose = keyof typeof purposes;

/** What a code is good for: one purpose, one address and, if there is one, one account. */
type CodeScope = { purpose: Purpose; email: string; userId?: number };

const matchesScope = ({ purpose, email, userId = 0 }: CodeScope) =>
  and(eq(emailCodes.purpose, purpose), eq(emailCodes.email, email.toLowerCase()), eq(emailCodes.user_id, userId));

/**
 * Runs after the answer was given, so that the answer takes as long for an address that is known here.
 * Its owner is told instead of whoever asked.
 */
export const mailEmailCode = defineJob({
  name: 'mail-email-code',
  input: z.object({
    purpose: z.enum(['register', 'change_email']),
    email: z.string(),
    userId: z.optional(z.int()),
  }),
  run: async (ctx: Context, wanted) => {
    const { system } = await getSettings(ctx);
    const { wish, taken } = purposes[wanted.purpose];
    const email = wanted.email.toLowerCase();
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
          `在${system.sitename}，${taken}`,
          '您的账户没有任何改变，不需要做什么。',
        ],
      });
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const fresh = {
      // As slow to guess at as a password: six digits under a fast hash would be read off a backup.
      code_hash: await hashPassword(code),
      tries: 0,
      expires_at: new Date(ctx.now().getTime() + CODE_LIFETIME_MINUTES * 60_000).toISOString(),
    };
    await inTransaction(ctx, async (ctx) => {
      await ctx.db
        .insert(emailCodes)
        .values({ purpose: wanted.purpose, email, user_id: wanted.userId ?? 0, ...fresh })
        .onConflictDoUpdate({
          target: [emailCodes.purpose, emailCodes.email, emailCodes.user_id],
          set: fresh,
        });
      await enqueueMail(ctx, {
        to: wanted.email,
        subject: `邮箱验证码 - ${system.sitename}`,
        paragraphs: [
          '您好：',
          `在${system.sitename}，${wish}验证码是：`,
          code,
          `请在 ${CODE_LIFETIME_MINUTES} 分钟内填写。如果不是您本人的操作，请忽略这封邮件，也不要把验证码告诉别人。`,
        ],
      });
    });
  },
});

/** Has a code mailed. Nobody's mailbox is flooded, and the answer is the same for every address. */
export async function requestEmailCode(ctx: Context, wanted: CodeScope): Promise<void> {
  const email = wanted.email.toLowerCase();
  await countAttempt(ctx, `email-code:${addressKey(ctx.client.ip)}`, LIMIT_PER_CLIENT);
  const { hits, wait } = await tallyAttempt(ctx, `email-code-pause:${email}`, RESEND_LIMIT);
  if (hits > RESEND_LIMIT.max) throw httpErrors.tooManyRequests(`发送太频繁，请 ${wait} 秒后再试`, wait);
  await countAttempt(ctx, `email-code-to:${email}`, LIMIT_PER_MAILBOX);
  await ctx.jobs.send(mailEmailCode, wanted, { db: ctx.db });
}

/**
 * Checks a code, and refuses after five tries whatever is given. Not for use inside a transaction: a
 * wrong try must stay counted. The right code is then used up by `spendCode`.
 */
export async function verifyEmailCode(ctx: Context, wanted: CodeScope, given: string): Promise<void> {
  const code = given.normalize('NFKC').replace(/\s/g, '');
  if (code === '') throw userErrors.emailCodeNeeded();
  const [row] = await ctx.db
    .update(emailCodes)
    .set({ tries: sql`${emailCodes.tries} + 1` })
    .where(
      and(matchesScope(wanted), lt(emailCodes.tries, MAX_TRIES), gt(emailCodes.expires_at, ctx.now().toISOString())),
    )
    .returning();
  if (!(await verifyPassword(row?.code_hash, code)) || !row) throw userErrors.wrongEmailCode();
  await ctx.db
    .update(emailCodes)
    .set({ tries: sql`greatest(${emailCodes.tries} - 1, 0)` })
    .where(eq(emailCodes.id, row.id));
}

/** Uses up a code that was checked, in the transaction it is for: of two uses at once, one finds nothing. */
export async function consumeEmailCode(ctx: Context, wanted: CodeScope): Promise<void> {
  const used = await ctx.db.delete(emailCodes).where(matchesScope(wanted)).returning({ id: emailCodes.id });
  if (used.length === 0) throw userErrors.wrongEmailCode();
}
