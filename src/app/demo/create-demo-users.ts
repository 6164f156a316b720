import { randomBytes } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { users as accounts } from '#modules/account/account.table.ts';
import { createUser } from '#modules/account/account.ts';
import { roles } from '#modules/role/role.table.ts';
import { grantRole } from '#modules/role/user-roles.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';

/** The reserved top-level domain `example` identifies the demo users. */
const profiles = [
  { username: '沈砚秋', email: 'yanqiu@demo.example', signature: '读旧书，写新字。' },
  { username: '陆知行', email: 'zhixing@demo.example', signature: '工程师，相信表格胜过形容词。' },
  { username: '何小满', email: 'xiaoman@demo.example', signature: '小学老师，收集好看的课件。' },
  { username: '顾青禾', email: 'qinghe@demo.example', signature: '在医院上班，在菜园休息。' },
  // Readers without documents.
  { username: '程一帆', email: 'yifan@demo.example', signature: '后端，偶尔前端。' },
  { username: '苏晚晴', email: 'wanqing@demo.example', signature: '看展，走路，记笔记。' },
  { username: '赵明远', email: 'mingyuan@demo.example', signature: '做预算的人。' },
  { username: '林见深', email: 'jianshen@demo.example', signature: '研究生在读。' },
  { username: '许念安', email: 'nianan@demo.example', signature: '两个孩子的妈妈。' },
  { username: '周也行', email: 'zhouye@demo.example', signature: '' },
];

export const demoEmails = profiles.map(({ email }) => email);

export type DemoUsers = {
  users: UserContext['user'][];
  /** Password of the demo users; null when all of them existed. */
  password: string | null;
};

export async function createDemoUsers(ctx: Context, joinedAt: Date): Promise<DemoUsers> {
  const existingUsers = await ctx.db.select().from(accounts).where(inArray(accounts.email, demoEmails));
  const password = randomBytes(9).toString('base64url');
  const [defaultRole] = await ctx.db.select().from(roles).where(eq(roles.is_default, true));
  const users: UserContext['user'][] = [];
  let isNew = false;
  for (const { username, email, signature } of profiles) {
    let account = existingUsers.find((each) => each.email === email);
    if (!account) {
      isNew = true;
      account = await inTransaction({ ...ctx, now: () => joinedAt }, async (ctx) => {
        const user = await createUser(ctx, { username, password, email });
        if (defaultRole) await grantRole(ctx, user.id, defaultRole.id);
        await ctx.db.update(accounts).set({ signature }).where(eq(accounts.id, user.id));
        return user;
      });
    }
    // The demo command acts for the operator, who needs neither permissions nor reviews.
    const rights = { isRoot: true, permissions: new Set<string>(), sessionId: 0 };
    users.push({ id: account.id, username: account.username, ...rights });
  }
  return { users, password: isNew ? password : null };
}
