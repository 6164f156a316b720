import { eq, sql } from 'drizzle-orm';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { isUniqueViolation } from '#platform/server/db.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { endSession, endSessions, openSession } from './session.ts';
import { userErrors } from './user.contract.ts';
import { users } from './user.table.ts';

const USERNAME = /^[\p{Script=Han}A-Za-z0-9_.-]{3,32}$/u;

async function findUser(ctx: Context, id: number) {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, id));
  if (!row) throw userErrors.notFound();
  return row;
}

/** An account by its name or, when that is none, by its e-mail address. */
export async function findAccount(ctx: Context, nameOrEmail: string) {
  const wanted = nameOrEmail.toLowerCase();
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(
      sql`lower(${users.username}) = ${wanted} or (${users.email} <> '' and lower(${users.email}) = ${wanted})`,
    )
    .orderBy(sql`(lower(${users.username}) = ${wanted}) desc`)
    .limit(1);
  return row;
}

export async function login(ctx: Context, input: { username: string; password: string }) {
  const account = await findAccount(ctx, input.username);
  const right = await verifyPassword(account?.password_hash, input.password);
  if (!account || !right) throw userErrors.wrongCredentials();
  return inTransaction(ctx, async (ctx) => {
    const [user] = await ctx.db
      .update(users)
      .set({ login_at: ctx.now().toISOString(), last_login_ip: ctx.client.ip })
      .where(eq(users.id, account.id))
      .returning();
    if (!user) throw userErrors.wrongCredentials();
    return { user, token: await openSession(ctx, user.id) };
  });
}

export async function logout(ctx: Context) {
  if (ctx.user) await endSession(ctx, ctx.user.sessionId);
  return {};
}

export const me = (ctx: UserContext) => findUser(ctx, ctx.user.id);

/** Whether this is the caller's own password; asked before what must not happen by a left desk. */
export async function isOwnPassword(ctx: Context, password: string): Promise<boolean> {
  if (!ctx.user) return false;
  const { password_hash } = await findUser(ctx, ctx.user.id);
  return verifyPassword(password_hash, password);
}

export async function changePassword(
  ctx: UserContext,
  input: { id?: number; old_password: string; new_password: string },
) {
  if (input.id && input.id !== ctx.user.id) throw userErrors.notYours();
  if (!(await isOwnPassword(ctx, input.old_password))) throw userErrors.wrongOldPassword();
  await setPassword(ctx, ctx.user.id, input.new_password, ctx.user.sessionId);
  return {};
}

/** Sets a password and ends the user's sessions, but for the one that asked. */
export async function setPassword(
  ctx: Context,
  userId: number,
  password: string,
  keepSessionId = 0,
): Promise<void> {
  const password_hash = await hashPassword(password);
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.update(users).set({ password_hash }).where(eq(users.id, userId));
    await endSessions(ctx, userId, keepSessionId);
  });
}

export async function createUser(
  ctx: Context,
  input: { username: string; password: string; email?: string },
): Promise<number> {
  if (!USERNAME.test(input.username)) throw userErrors.badUsername();
  const password_hash = await hashPassword(input.password);
  try {
    const [row] = await ctx.db
      .insert(users)
      .values({
        username: input.username,
        password_hash,
        email: input.email ?? '',
        register_ip: ctx.client.ip,
      })
      .returning({ id: users.id });
    if (!row) throw userErrors.notFound();
    return row.id;
  } catch (error) {
    if (isUniqueViolation(error, 'users_username_key')) throw userErrors.exists();
    if (isUniqueViolation(error, 'users_email_key')) throw userErrors.emailExists();
    throw error;
  }
}
