import { randomBytes } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { createUser } from '#modules/account/account.ts';
import { roles } from '#modules/role/role.table.ts';
import { grantRole } from '#modules/role/user-roles.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';

/** Addresses under a name that never leads anywhere: they tell the demo users from real ones. */
const people = [
  { username: '沈砚秋', email: 'yanqiu@demo.example', signature: '读旧书，写新字。' },
  { username: '陆知行', email: 'zhixing@demo.example', signature: '工程师，相信表格胜过形容词。' },
  { username: '何小满', email: 'xiaoman@demo.example', signature: '小学老师，收集好看的课件。' },
  { username: '顾青禾', email: 'qinghe@demo.example', signature: '在医院上班，在菜园休息。' },
  // They read, and talk about what they read.
  { username: '程一帆', email: 'yifan@demo.example', signature: '后端，偶尔前端。' },
  { username: '苏晚晴', email: 'wanqing@demo.example', signature: '看展，走路，记笔记。' },
  { username: '赵明远', email: 'mingyuan@demo.example', signature: '做预算的人。' },
  { username: '林见深', email: 'jianshen@demo.example', signature: '研究生在读。' },
  { username: '许念安', email: 'nianan@demo.example', signature: '两个孩子的妈妈。' },
  { username: '周也行', email: 'zhouye@demo.example', signature: '' },
];

export const demoEmails = people.map(({ email }) => email);

export type DemoUsers = {
  owners: UserContext['user'][];
  /** Of all demo users, when some were made now. */
  password: string | null;
};

/** The people the demo documents belong to; those that are missing are made. */
export async function demoUsers(ctx: Context, joined: Date): Promise<DemoUsers> {
  const known = await ctx.db.select().from(users).where(inArray(users.email, demoEmails));
  const password = randomBytes(9).toString('base64url');
  const [usual] = await ctx.db.select().from(roles).where(eq(roles.is_default, true));
  const owners: UserContext['user'][] = [];
  let isNew = false;
  for (const { username, email, signature } of people) {
    let account = known.find((each) => each.email === email);
    if (!account) {
      isNew = true;
      account = await inTransaction({ ...ctx, now: () => joined }, async (ctx) => {
        const created = await createUser(ctx, { username, password, email });
        if (usual) await grantRole(ctx, created.id, usual.id);
        await ctx.db.update(users).set({ signature }).where(eq(users.id, created.id));
        return created;
      });
    }
    // What is filled in by the operator needs no permission and no review.
    const rights = { isRoot: true, permissions: new Set<string>(), sessionId: 0 };
    owners.push({ id: account.id, username: account.username, ...rights });
  }
  return { owners, password: isNew ? password : null };
}
