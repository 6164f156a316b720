import { beforeEach, describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';
import { newMember, newRole, newStaff, roleIdOf, TEST_PASSWORD } from './role.fixture.ts';

const { app, ctx, as, pool } = await testApp();
type Headers = { authorization?: string };
type Answer = { statusCode: number; json(): { message: string } };

const defaultRole = await roleIdOf(ctx, '普通用户');
const reviewer = await roleIdOf(ctx, '内容审核员');
const superRole = await roleIdOf(ctx, '超级管理员');
let root: Headers = {};
beforeEach(async () => {
  root = await as.root();
});

const request = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers = root) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const set = (id: number, group_id: number[], headers = root, extraInput = {}) =>
  request('PUT', '/user', { id, group_id, ...extraInput }, headers);
const ban = (id: number[], headers = root) => request('PUT', '/user/ban', { id, ban: true, reason: '测试' }, headers);
const remove = (id: number, password: string, headers = root) =>
  request('DELETE', `/user?id=${id}`, { password }, headers);
const statusAndMessage = (answer: Answer) => [answer.statusCode, answer.json().message];
const readRoles = async (id: number) =>
  (await pool.query('select role_id::int from user_roles where user_id = $1 order by 1', [id])).rows.map(
    ({ role_id }) => role_id,
  );

const MISSING_PERMISSION = [403, '不能授予或修改拥有您所没有的权限的用户'];
const accountPermissions = ['AddUser', 'SetUser', 'BanUser', 'DeleteUser'].map((name) => `UserAPI/${name}`);

describe('a user administrator who is not root', () => {
  test('cannot assign a role with permissions that they lack', async () => {
    const staff = await newStaff(ctx, accountPermissions);
    const member = await newMember(ctx, [defaultRole]);
    for (const role of [superRole, reviewer]) {
      expect(statusAndMessage(await set(member.id, [defaultRole, role], staff.headers))).toEqual(MISSING_PERMISSION);
      expect(statusAndMessage(await set(staff.id, [role], staff.headers))).toEqual(MISSING_PERMISSION);
      const account = { username: 'sockpuppet', password: 'long-enough', group_id: [role] };
      expect(statusAndMessage(await request('POST', '/user', account, staff.headers))).toEqual(MISSING_PERMISSION);
    }
    expect(await readRoles(member.id)).toEqual([defaultRole]);
    expect((await pool.query(`select 1 from users where username = 'sockpuppet'`)).rowCount).toBe(0);
    const equalRole = await newRole(ctx, ['UserAPI/BanUser']);
    expect((await set(member.id, [equalRole], staff.headers)).statusCode).toBe(200);
  });

  test('cannot change accounts that hold permissions they lack, also as part of a list', async () => {
    const staff = await newStaff(ctx, accountPermissions);
    const above = await newMember(ctx, [reviewer]);
    const below = await newMember(ctx, [defaultRole]);
    const attempts = [
      await set(above.id, [defaultRole], staff.headers),
      await set(above.id, [reviewer], staff.headers, { password: 'known-to-me' }),
      await ban([below.id, above.id], staff.headers),
      await request('PUT', '/user/ban', { id: [above.id], ban: false }, staff.headers),
      await request('DELETE', `/user?id=${below.id}&id=${above.id}`, { password: TEST_PASSWORD }, staff.headers),
    ];
    for (const answer of attempts) expect(statusAndMessage(answer)).toEqual(MISSING_PERMISSION);
    for (const { headers } of [above, below])
      expect((await app.inject({ url: '/api/v1/user', headers })).statusCode).toBe(200);
    expect((await remove(below.id, TEST_PASSWORD, staff.headers)).statusCode).toBe(200);
  });

  test('changes profile and password only of accounts without higher permissions, with audit entries', async () => {
    const staff = await newStaff(ctx, ['UserAPI/UpdateUserProfile', 'UserAPI/UpdateUserPassword']);
    const above = await newMember(ctx, [reviewer]);
    const below = await newMember(ctx, [defaultRole]);
    const profile = (id: number) =>
      request('PUT', '/user/profile', { id, email: `taken${id}@example.com` }, staff.headers);
    const password = (id: number) =>
      request('PUT', '/user/password', { id, new_password: 'known-to-me' }, staff.headers);
    for (const change of [profile, password]) {
      expect(statusAndMessage(await change(1))).toEqual([403, '不能对 1 号用户这样做']);
      expect(statusAndMessage(await change(above.id))).toEqual(MISSING_PERMISSION);
      expect((await change(below.id)).statusCode).toBe(200);
    }
    const { rows } = await pool.query('select action from audit_logs where user_id = $1', [staff.id]);
    expect(rows.map(({ action }) => action)).toEqual(['更新用户资料', '修改用户密码']);
    const { rows: emails } = await pool.query(`select id::int from users where email like 'taken%'`);
    expect(emails).toEqual([{ id: below.id }]);
  });

  test('cannot change root, even as a super administrator', async () => {
    const admin = await newMember(ctx, [superRole]);
    const answers = [
      await set(1, [superRole], admin.headers),
      await set(1, [superRole], admin.headers, { password: 'known-to-me' }),
      await ban([1], admin.headers),
      await remove(1, TEST_PASSWORD, admin.headers),
    ];
    for (const answer of answers) expect(statusAndMessage(answer)).toEqual([403, '不能对 1 号用户这样做']);
    expect(await readRoles(1)).toEqual([superRole]);
    await remove(admin.id, ADMIN_PASSWORD);
  });

  test('gets 403 for every action without its permission', async () => {
    const memberWithoutPermissions = await newMember(ctx, [defaultRole]);
    const otherMember = await newMember(ctx, [defaultRole]);
    const answers = [
      await set(memberWithoutPermissions.id, [superRole], memberWithoutPermissions.headers),
      await ban([otherMember.id], memberWithoutPermissions.headers),
      await remove(otherMember.id, TEST_PASSWORD, memberWithoutPermissions.headers),
      await request('POST', '/user', { username: 'x', password: 'y', group_id: [1] }, memberWithoutPermissions.headers),
      await request(
        'PUT',
        '/group/permission',
        { group_id: defaultRole, permission_id: [1] },
        memberWithoutPermissions.headers,
      ),
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
    expect(statusAndMessage(await set(1, [defaultRole]))).toEqual([409, '至少要保留一位超级管理员']);
    const admin = await newMember(ctx, [superRole]);
    expect((await set(1, [defaultRole])).statusCode).toBe(200);
    expect(await administrators()).toEqual([admin.id]);
    const answers = [
      await set(admin.id, [defaultRole]),
      await set(admin.id, [defaultRole], admin.headers),
      await ban([admin.id]),
      await remove(admin.id, ADMIN_PASSWORD),
    ];
    for (const answer of answers) expect(statusAndMessage(answer)).toEqual([409, '至少要保留一位超级管理员']);
    expect(await administrators()).toEqual([admin.id]);
    expect((await app.inject({ url: '/api/v1/user', headers: admin.headers })).statusCode).toBe(200);
  });

  const demote = (id: number, actor?: Headers) => set(id, [defaultRole], actor);
  const banOne = (id: number, actor?: Headers) => ban([id], actor);
  const deleteOne = (id: number) => remove(id, ADMIN_PASSWORD);

  test.each([
    ['demoted', [demote]],
    ['banned', [banOne]],
    ['deleted', [deleteOne]],
    ['demoted, banned and deleted', [demote, banOne, deleteOne]],
  ])('remains when two super administrators are %s by twenty concurrent requests', async (_, changes) => {
    const admins = [await newMember(ctx, [superRole]), await newMember(ctx, [superRole])];
    for (const id of await administrators()) if (!admins.some((admin) => admin.id === id)) await set(id, [defaultRole]);
    expect(await administrators()).toEqual(admins.map(({ id }) => id));
    const actors = [root, ...admins.map(({ headers }) => headers)];
    const attempts = Array.from({ length: 20 }, (_, index) => {
      const { id } = admins[index % 2] ?? { id: 0 };
      return changes[Math.floor(index / 2) % changes.length]?.(id, actors[index % actors.length]);
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
