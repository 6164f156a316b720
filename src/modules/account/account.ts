import { eq, sql } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { enqueueMail } from '#modules/mail/mail.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, hasPermission, inTransaction, type UserContext } from '#platform/server/context.ts';
import { isUniqueViolation } from '#platform/server/db/db.ts';
import { publicUser, type userApi, userErrors } from './account.contract.ts';
import { passwordResets, users } from './account.table.ts';
import { announceUserChange } from './announce-user-change.ts';
import { emailChangeScope } from './change-email.ts';
import { consumeEmailCode, verifyEmailCode } from './email-code.ts';
import { isCurrentUserPassword } from './is-current-user-password.ts';
import { hashPassword } from './password.ts';
import { endSessions } from './session.ts';

const USERNAME_PATTERN = /^[\p{Script=Han}A-Za-z0-9_.-]{3,32}$/u;
const MOBILE_PATTERN = /^1[3-9]\d{9}$/;

export async function findUser(ctx: Context, id: number) {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, id));
  if (!row) throw userErrors.notFound();
  return row;
}

async function userIdByUsername(ctx: Context, username: string): Promise<number> {
  const [row] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.username})`, username.toLowerCase()));
  if (!row) throw userErrors.notFound();
  return row.id;
}

const publicKeys = Object.keys(publicUser._zod.def.shape);

/** All fields of the caller's account; of other accounts the public fields, unless the caller holds the permission. */
export async function getUser(ctx: Context, input: { id?: number; username?: string }) {
  const userId = input.username ? await userIdByUsername(ctx, input.username) : (input.id ?? ctx.user?.id);
  if (userId === undefined) throw httpErrors.loginRequired();
  const row = await findUser(ctx, userId);
  if (userId === ctx.user?.id || hasPermission(ctx, 'UserAPI/GetUser')) return row;
  const publicFields = Object.entries(row).filter(([key]) => publicKeys.includes(key));
  return Object.fromEntries(publicFields) as typeof row;
}

function throwDuplicateError(error: unknown): never {
  if (isUniqueViolation(error, 'users_username_key')) throw userErrors.exists();
  if (isUniqueViolation(error, 'users_email_key')) throw userErrors.emailExists();
  throw error;
}

/** Throws when the caller may not change these accounts. The role module, which depends on this one, implements it. */
export type RequireAuthority = (ctx: UserContext, userIds: number[]) => Promise<void>;

export const updateProfile =
  (requireAuthority: RequireAuthority) =>
  async (
    ctx: UserContext,
    { id = ctx.user.id, code = '', ...profile }: ParsedInputOf<typeof userApi.updateProfile>,
  ) => {
    const isSelf = id === ctx.user.id;
    if (!isSelf && !hasPermission(ctx, 'UserAPI/UpdateUserProfile')) throw userErrors.notYours();
    const { email } = await findUser(ctx, id);
    if (email !== '' && profile.email === '') throw userErrors.emailNeeded();
    const isAddressChanged = email.toLowerCase() !== profile.email.toLowerCase();
    const codeScope = isSelf && isAddressChanged ? emailChangeScope(ctx, profile.email) : null;
    if (codeScope) await verifyEmailCode(ctx, codeScope, code);
    await inTransaction(ctx, async (ctx) => {
      const before = await findUser(ctx, id);
      if (codeScope) await consumeEmailCode(ctx, codeScope);
      // An administrator who sets the address of an account could have its password reset by mail.
      if (!isSelf) await requireAuthority(ctx, [id]);
      await ctx.db.update(users).set(profile).where(eq(users.id, id)).catch(throwDuplicateError);
      await announceUserChange(ctx);
      if (before.email && isAddressChanged) await warnOldAddress(ctx, before.username, before.email);
      if (!isSelf)
        await recordAudit(ctx, {
          action: '更新用户资料',
          target: auditTarget('用户', [{ id, name: before.username }]),
          before,
          after: profile,
          // The log records that these fields changed, without their personal values.
          secrets: ['identity', 'mobile', 'realname', 'address', 'email'],
        });
    });
    return {};
  };

/** The address can reset the password, so its owner is warned of the change. */
async function warnOldAddress(ctx: Context, username: string, to: string): Promise<void> {
  const { system } = await getSettings(ctx);
  await enqueueMail(ctx, {
    to,
    subject: `邮箱已更改 - ${system.sitename}`,
    paragraphs: [
      `${username}，您好：`,
      `您在${system.sitename}的账户不再使用这个邮箱。`,
      '如果不是您本人的操作，请尽快联系网站管理员。',
    ],
  });
}

export const changePassword =
  (requireAuthority: RequireAuthority) =>
  async (ctx: UserContext, input: ParsedInputOf<typeof userApi.changePassword>) => {
    const id = input.id || ctx.user.id;
    if (id === ctx.user.id) {
      const isCorrect = await isCurrentUserPassword(ctx, input.old_password ?? '');
      if (!isCorrect) throw userErrors.wrongOldPassword();
      await setPassword(ctx, id, input.new_password, ctx.user.sessionId);
      return {};
    }
    if (!hasPermission(ctx, 'UserAPI/UpdateUserPassword')) throw userErrors.notYours();
    await inTransaction(ctx, async (ctx) => {
      const { username } = await findUser(ctx, id);
      await requireAuthority(ctx, [id]);
      await setPassword(ctx, id, input.new_password);
      await recordAudit(ctx, {
        action: '修改用户密码',
        target: auditTarget('用户', [{ id, name: username }]),
        after: { password: input.new_password },
      });
    });
    return {};
  };

/** Sets a password and ends all sessions of the user except `remainingSessionId`. */
export async function setPassword(
  ctx: Context,
  userId: number,
  password: string,
  remainingSessionId = 0,
): Promise<void> {
  const password_hash = await hashPassword(password);
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.update(users).set({ password_hash }).where(eq(users.id, userId));
    await ctx.db.delete(passwordResets).where(eq(passwordResets.user_id, userId));
    await endSessions(ctx, userId, remainingSessionId);
  });
}

export async function createUser(ctx: Context, input: { username: string; password: string; email?: string }) {
  if (/@/.test(input.username) || MOBILE_PATTERN.test(input.username)) throw userErrors.privateUsername();
  if (!USERNAME_PATTERN.test(input.username)) throw userErrors.badUsername();
  const password_hash = await hashPassword(input.password);
  const [row] = await ctx.db
    .insert(users)
    .values({
      username: input.username,
      password_hash,
      email: input.email ?? '',
      register_ip: ctx.client.ip,
      created_at: ctx.now().toISOString(),
    })
    .returning()
    .catch(throwDuplicateError);
  if (!row) throw new Error('the insert returned no user');
  return row;
}
