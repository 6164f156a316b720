import { beforeEach, describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';
import { newMember, newRole, newStaff, PASSWORD, roleIdOf } from './role.fixture.ts';

const { app, ctx, as, pool } = await testApp();
type Headers = { authorization?: string };
type Answer = { statusCode: number; json(): { message: string } };

const usual = await roleIdOf(ctx, '普通用户');
const reviewer = await roleIdOf(ctx, '内容审核员');
const superRole = await roleIdOf(ctx, '超级管理员');
let root: Headers = {};
beforeEach(async () => {
  root = await as.root();
});

const ask = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers = root) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const set = (id: number, group_id: number[], headers = root, more = {}) =>
  ask('PUT', '/user', { id, group_id, ...more }, headers);
const ban = (id: number[], headers = root) => ask('PUT', '/user/ban', { id, ban: true, reason: '测试' }, headers);
const remove = (id: number, password: string, headers = root) => ask('DELETE', `/user?id=${id}`, { password }, headers);
const saying = (answer: Answer) => [answer.statusCode, answer.json().message];
const rolesNow = async (id: number) =>
  (await pool.query('select role_id::int from user_roles where user_id = $1 order by 1', [id])).rows.map(
    ({ role_id }) => role_id,
  );

const BEYOND = [403, '不能授予或修改拥有您所没有的权限的用户'];
const accountPermissions = ['AddUser', 'SetUser', 'BanUser', 'DeleteUser'].map((name) => `UserAPI/${name}`);

describe('who manages users but is not root', () => {
  test('gives no role that may do more than they may themselves', async () => {
    const staff = await newStaff(ctx, accountPermissions);
    const member = await newMember(ctx, [usual]);
    for (const role of [superRole, reviewer]) {
      expect(saying(await set(member.id, [usual, role], staff.headers))).toEqual(BEYOND);
      expect(saying(await set(staff.id, [role], staff.headers))).toEqual(BEYOND);
      const account = { username: 'sockpuppet', password: 'long-enough', group_id: [role] };
      expect(saying(await ask('POST', '/user', account, staff.headers))).toEqual(BEYOND);
    }
    expect(await rolesNow(member.id)).toEqual([usual]);
    expect((await pool.query(`select 1 from users where username = 'sockpuppet'`)).rowCount).toBe(0);
    const same = await newRole(ctx, ['UserAPI/BanUser']);
    expect((await set(member.id, [same], staff.headers)).statusCode).toBe(200);
  });

  test('touches nobody who may do more, also inside a list', async () => {
    const staff = await newStaff(ctx, accountPermissions);
    const above = await newMember(ctx, [reviewer]);
    const below = await newMember(ctx, [usual]);
    const attempts = [
      await set(above.id, [usual], staff.headers),
      await set(above.id, [reviewer], staff.headers, { password: 'known-to-me' }),
      await ban([below.id, above.id], staff.headers),
      await ask('PUT', '/user/ban', { id: [above.id], ban: false }, staff.headers),
      await ask('DELETE', `/user?id=${below.id}&id=${above.id}`, { password: PASSWORD }, staff.headers),
    ];
    for (const answer of attempts) expect(saying(answer)).toEqual(BEYOND);
    for (const { headers } of [above, below])
      expect((await app.inject({ url: '/api/v1/user', headers })).statusCode).toBe(200);
    expect((await remove(below.id, PASSWORD, staff.headers)).statusCode).toBe(200);
  });

  test('changes profile and password of those below only, each noted', async () => {
    const staff = await newStaff(ctx, ['UserAPI/UpdateUserProfile', 'UserAPI/UpdateUserPassword']);
    const above = await newMember(ctx, [reviewer]);
    const below = await newMember(ctx, [usual]);
    const profile = (id: number) => ask('PUT', '/user/profile', { id, email: `taken${id}@example.com` }, staff.headers);
    const password = (id: number) => ask('PUT', '/user/password', { id, new_password: 'known-to-me' }, staff.headers);
    for (const change of [profile, password]) {
      expect(saying(await change(1))).toEqual([403, '不能对 1 号用户这样做']);
      expect(saying(await change(above.id))).toEqual(BEYOND);
      expect((await change(below.id)).statusCode).toBe(200);
    }
    const { rows } = await pool.query('select action from audit_logs where user_id = $1', [staff.id]);
    expect(rows.map(({ action }) => action)).toEqual(['更新用户资料', '修改用户密码']);
    const { rows: emails } = await pool.query(`select id::int from users where email like 'taken%'`);
    expect(emails).toEqual([{ id: below.id }]);
  });

  test('does not touch root, even as a super administrator', async () => {
    const admin = await newMember(ctx, [superRole]);
    const answers = [
      await set(1, [superRole], admin.headers),
      await set(1, [superRole], admin.headers, { password: 'known-to-me' }),
      await ban([1], admin.headers),
      await remove(1, PASSWORD, admin.headers),
    ];
    for (const answer of answers) expect(saying(answer)).toEqual([403, '不能对 1 号用户这样做']);
    expect(await rolesNow(1)).toEqual([superRole]);
    await remove(admin.id, ADMIN_PASSWORD);
  });

  test('without the permission does none of it', async () => {
    const plain = await newMember(ctx, [usual]);
    const other = await newMember(ctx, [usual]);
    const answers = [
      await set(plain.id, [superRole], plain.headers),
      await ban([other.id], plain.headers),
      await remove(other.id, PASSWORD, plain.headers),
      await ask('POST', '/user', { username: 'x', password: 'y', group_id: [1] }, plain.headers),
      await ask('PUT', '/group/permission', { group_id: usual, permission_id: [1] }, plain.headers),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(403);
      expect(answer.json().message).toMatch(/^您没有权限访问【.+】$/);
    }
  });
});

describe('the last super administrator', () => {
  const administrators = async () =>
    (
      await pool.query(`
        select u.id::int from user_roles ur join roles r on r.id = ur.role_id and r.is_super
        join users u on u.id = ur.user_id where not u.is_banned order by 1`)
    ).rows.map(({ id }) => id);

  test('cannot be demoted, banned or deleted', async () => {
    expect(await administrators()).toEqual([1]);
    expect(saying(await set(1, [usual]))).toEqual([409, '至少要保留一位超级管理员']);
    const admin = await newMember(ctx, [superRole]);
    expect((await set(1, [usual])).statusCode).toBe(200);
    expect(await administrators()).toEqual([admin.id]);
    const answers = [
      await set(admin.id, [usual]),
      await set(admin.id, [usual], admin.headers),
      await ban([admin.id]),
      await remove(admin.id, ADMIN_PASSWORD),
    ];
    for (const answer of answers) expect(saying(answer)).toEqual([409, '至少要保留一位超级管理员']);
    expect(await administrators()).toEqual([admin.id]);
    expect((await app.inject({ url: '/api/v1/user', headers: admin.headers })).statusCode).toBe(200);
  });

  const demote = (id: number, actor?: Headers) => set(id, [usual], actor);
  const exclude = (id: number, actor?: Headers) => ban([id], actor);
  const erase = (id: number) => remove(id, ADMIN_PASSWORD);

  test.each([
    ['demoted', [demote]],
    ['banned', [exclude]],
    ['deleted', [erase]],
    ['demoted, banned and deleted', [demote, exclude, erase]],
  ])('of two one stays when both are %s by twenty requests at once', async (_, ways) => {
    const admins = [await newMember(ctx, [superRole]), await newMember(ctx, [superRole])];
    for (const id of await administrators()) if (!admins.some((admin) => admin.id === id)) await set(id, [usual]);
    expect(await administrators()).toEqual(admins.map(({ id }) => id));
    const actors = [root, ...admins.map(({ headers }) => headers)];
    const attempts = Array.from({ length: 20 }, (_, index) => {
      const { id } = admins[index % 2] ?? { id: 0 };
      return ways[Math.floor(index / 2) % ways.length]?.(id, actors[index % actors.length]);
    });
    const statuses = (await Promise.all(attempts)).map((answer) => answer?.statusCode ?? 0);
    expect(await administrators()).toHaveLength(1);
    expect(statuses).toContain(200);
    expect(statuses.every((status) => status < 500)).toBe(true);
    const { rows } = await pool.query(
      `select title from roles r where user_count <> (select count(*) from user_roles where role_id = r.id)`,
    );
    expect(rows).toEqual([]);
  });
});
