import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { eq } from 'drizzle-orm';
import { createUser, setPassword } from '#modules/account/account.ts';
import { findAccountByNameOrEmail } from '#modules/account/login.ts';
import { recordAudit } from '#modules/audit/audit.ts';
import { listAccounts } from '#modules/role/list-accounts.ts';
import { roles } from '#modules/role/role.table.ts';
import { grantRole } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { formatDateTime } from '#platform/contract/date-time.ts';
import { type Context, inTransaction, type SessionUser } from '#platform/server/context.ts';
import { alignColumns } from './align-columns.ts';
import { CommandError, print, withSite } from './with-site.ts';

const MIN_PASSWORD_LENGTH = 8;
const PAGE_SIZE = 50;

async function getAccount(ctx: Context, username: string) {
  const account = await findAccountByNameOrEmail(ctx, username);
  if (!account) throw new CommandError(`没有用户 ${username}`);
  return account;
}

async function findRoleIdByTitle(ctx: Context, title: string): Promise<number> {
  const [role] = await ctx.db.select().from(roles).where(eq(roles.title, title));
  if (role) return role.id;
  const existingRoles = await ctx.db.select({ title: roles.title }).from(roles);
  throw new CommandError(`没有角色 ${title}，现有：${existingRoles.map((each) => each.title).join('、')}`);
}

/** Returns the password of the option, or a generated one with a `notice` that shows it. */
function chooseOrGeneratePassword(option: string | undefined): { password: string; notice: string } {
  if (option === undefined) {
    const password = randomBytes(12).toString('base64url');
    return { password, notice: `，密码 ${password}` };
  }
  if (option.length < MIN_PASSWORD_LENGTH) throw new CommandError(`密码至少 ${MIN_PASSWORD_LENGTH} 位`);
  return { password: option, notice: '' };
}

const create = new Command('create')
  .description('新建用户')
  .argument('<用户名>', '登录用的名字')
  .option('--password <密码>', '不给则随机生成并显示')
  .option('--email <邮箱>', '用于找回密码和接收通知')
  .option('--role <角色>', '角色的名称；不给则为默认角色')
  .action((username: string, options: { password?: string; email?: string; role?: string }) =>
    withSite(async ({ ctx }) => {
      const { password, notice } = chooseOrGeneratePassword(options.password);
      await inTransaction(ctx, async (ctx) => {
        const { id } = await createUser(ctx, { username, password, email: options.email });
        const [defaultRole] = await ctx.db.select().from(roles).where(eq(roles.is_default, true));
        const role = options.role ? await findRoleIdByTitle(ctx, options.role) : defaultRole?.id;
        if (role) await grantRole(ctx, id, role);
        await recordAudit(ctx, {
          action: '新增用户',
          target: `用户 ${id} ${username}`,
          after: { username, email: options.email ?? '' },
        });
      });
      print(`已新建用户 ${username}${notice}`);
    }),
  );

const password = new Command('password')
  .description('重设用户的密码，并结束其全部登录')
  .argument('<用户名>', '用户名或邮箱')
  .argument('[密码]', '新密码；不给则随机生成并显示')
  .action((username: string, newPassword?: string) =>
    withSite(async ({ ctx }) => {
      const { password, notice } = chooseOrGeneratePassword(newPassword);
      const { id } = await getAccount(ctx, username);
      await inTransaction(ctx, async (ctx) => {
        await setPassword(ctx, id, password);
        await recordAudit(ctx, { action: '修改用户密码', target: `用户 ${id} ${username}` });
      });
      print(`已重设 ${username} 的密码${notice}`);
    }),
  );

const grant = new Command('grant')
  .description('给用户一个角色')
  .argument('<用户名>', '用户名或邮箱')
  .argument('<角色>', '角色的名称，例如 超级管理员')
  .action((username: string, role: string) =>
    withSite(async ({ ctx }) => {
      const { id } = await getAccount(ctx, username);
      const newRoleId = await findRoleIdByTitle(ctx, role);
      await inTransaction(ctx, async (ctx) => {
        await grantRole(ctx, id, newRoleId);
        await recordAudit(ctx, {
          action: '给予角色',
          target: `用户 ${id} ${username}`,
          after: { role },
        });
      });
      print(`${username} 已拥有角色 ${role}`);
    }),
  );

/** Commands run with all permissions. */
const operator: SessionUser = {
  id: 0,
  username: '命令行',
  isRoot: true,
  permissions: new Set(),
  sessionId: 0,
};

const list = new Command('list')
  .description('列出用户，新注册的在前')
  .argument('[关键字]', '用户名、姓名、邮箱或电话中的一部分')
  .option('--page <页码>', '第几页，每页 50 人')
  .action((wd: string | undefined, { page = '1' }: { page?: string }) =>
    withSite(async ({ ctx }) => {
      if (!/^[1-9]\d{0,5}$/.test(page)) throw new CommandError('页码应为从 1 开始的整数');
      const input = { page: Number(page), size: PAGE_SIZE, wd };
      const { total, user: users } = await listAccounts({ ...ctx, user: operator }, input);
      const { system } = await getSettings(ctx);
      const allRoles = await ctx.db.select({ id: roles.id, title: roles.title }).from(roles);
      const rolesOf = (ids: number[]) =>
        ids.map((id) => allRoles.find((role) => role.id === id)?.title ?? id).join('、');
      const rows = users.map(({ id, username, email, group_id, status, created_at }) => [
        String(id),
        username,
        email || '-',
        rolesOf(group_id) || '-',
        status === 1 ? '已禁用' : '正常',
        formatDateTime(created_at, system.timezone),
      ]);
      for (const line of alignColumns([['编号', '用户名', '邮箱', '角色', '状态', '注册时间'], ...rows])) print(line);
      print(`共 ${total} 个用户`);
    }),
  );

export const userCommand = new Command('user')
  .description('管理用户')
  .addCommand(list)
  .addCommand(create)
  .addCommand(password)
  .addCommand(grant);
