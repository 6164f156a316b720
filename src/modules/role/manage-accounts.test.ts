import { beforeEach, describe, expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';
import { loginHeaders, newMember, newRole, newStaff, roleIdOf, TEST_PASSWORD } from './role.fixture.ts';

const { app, ctx, as, pool, clock } = await testApp();
await setSetting(ctx, 'security.enable_captcha_login', 'false');
type Headers = { authorization?: string };
type Answer = { statusCode: number; json(): { message: string } };

const defaultRole = await roleIdOf(ctx, '普通用户');
let root: Headers = {};
beforeEach(async () => {
  root = await as.root();
});

const request = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers = root) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const set = (payload: object, headers = root) => request('PUT', '/user', payload, headers);
const ban = (payload: object, headers = root) => request('PUT', '/user/ban', payload, headers);
const remove = (ids: number[], password = ADMIN_PASSWORD, headers = root) => {
  const query = ids.map((id) => `id=${id}`).join('&');
  return request('DELETE', `/user?${query}`, { password }, headers);
};
const statusAndMessage = (answer: Answer) => [answer.statusCode, answer.json().message];
const login = (username: string, password: string) =>
  app.inject({ method: 'POST', url: '/api/v1/user/login', payload: { username, password } });
const isLoggedIn = async (headers: Headers) => (await app.inject({ url: '/api/v1/user', headers })).statusCode === 200;
const readRoles = async (id: number): Promise<number[]> =>
  (await request('GET', `/user/list?id=${id}`)).json().user[0]?.group_id;
const exists = async (id: number) => (await pool.query('select 1 from users where id = $1', [id])).rowCount === 1;
/** Titles of roles whose user count differs from the number of their users. */
const findWrongCounts = async () => {
  const { rows } = await pool.query(`
    select title from roles r
    where user_count <> (select count(*) from user_roles where role_id = r.id)`);
  return rows;
};

describe('adding a user', () => {
  const fields = { username: '新同事', password: 'first-password', email: 'new@example.com' };

  test('assigns the selected roles, and the new user can log in', async () => {
    const otherRole = await newRole(ctx);
    expect(
      (await request('POST', '/user', { ...fields, group_id: [defaultRole, otherRole, otherRole] })).json(),
    ).toEqual({});
    const { user } = (await login('新同事', 'first-password')).json();
    expect(user).toMatchObject({ username: '新同事', email: 'new@example.com' });
    expect(await readRoles(user.id)).toEqual([defaultRole, otherRole]);
    expect(await findWrongCounts()).toEqual([]);
  });

  test('rejects invalid fields with a message and stores nothing', async () => {
    const invalidInputs = [
      [{ ...fields, group_id: [defaultRole] }, 409, '用户名已存在'],
      [{ ...fields, username: '又一位', group_id: [defaultRole] }, 409, '邮箱已存在'],
      [{ ...fields, username: '第三位', email: '', group_id: [] }, 400, '请选择角色'],
      [{ ...fields, username: '第三位', email: '', group_id: [9999] }, 404, '角色不存在'],
      [{ ...fields, username: '第三位', email: 'x', group_id: [defaultRole] }, 400, '请输入正确的邮箱地址'],
      [{ ...fields, username: '第三位', email: '', password: 'short', group_id: [defaultRole] }, 400, '密码至少 8 位'],
      [
        { ...fields, username: 'a@b.cn', email: '', group_id: [defaultRole] },
        400,
        '出于隐私保护，用户名不能是邮箱或手机号码',
      ],
    ] as const;
    for (const [payload, status, message] of invalidInputs)
      expect(statusAndMessage(await request('POST', '/user', payload))).toEqual([status, message]);
    expect((await request('GET', '/user/list?wd=第三位')).json().total).toBe(0);
  });

  const LISTED_FIELDS = ['credit_count', 'status', 'doc_count'];
  const INTERNAL_FIELDS = ['is_banned', 'root', 'permissions', 'password_hash'];

  test.each([...LISTED_FIELDS, ...INTERNAL_FIELDS])('rejects the field %s with 400', async (key) => {
    const payload = { username: '第四位', password: 'long-enough', group_id: [defaultRole], [key]: 1 };
    expect((await request('POST', '/user', payload)).statusCode).toBe(400);
    expect((await ban({ id: [1], ban: true, reason: 'x', [key]: 1 })).statusCode).toBe(400);
  });

  test.each(INTERNAL_FIELDS)('PUT /user rejects %s, which no listed row has', async (key) => {
    expect((await set({ id: 1, group_id: [defaultRole], [key]: 1 })).statusCode).toBe(400);
  });

  test.each(LISTED_FIELDS)('PUT /user ignores %s of a listed row', async (key) => {
    const { id } = await newMember(ctx, [defaultRole]);
    const rowOf = async () => (await request('GET', `/user/list?id=${id}`)).json().user[0];
    const before = await rowOf();
    expect((await set({ id, group_id: [defaultRole], [key]: 1 })).statusCode).toBe(200);
    expect(await rowOf()).toEqual(before);
  });
});

describe('setting roles and password', () => {
  test('replaces the roles and updates the user counts', async () => {
    const [first, second] = [await newRole(ctx), await newRole(ctx)];
    const member = await newMember(ctx, [defaultRole, first]);
    expect((await set({ id: member.id, group_id: [first, second] })).json()).toEqual({});
    expect(await readRoles(member.id)).toEqual([first, second]);
    expect(await findWrongCounts()).toEqual([]);
    expect(await isLoggedIn(member.headers)).toBe(true);
  });

  test('an empty password changes nothing, a new one replaces the old one and ends the sessions', async () => {
    const member = await newMember(ctx, [defaultRole]);
    await set({ id: member.id, username: member.username, password: '', group_id: [defaultRole] });
    expect((await login(member.username, TEST_PASSWORD)).statusCode).toBe(200);
    await set({ id: member.id, password: 'another-one', group_id: [defaultRole] });
    expect(await isLoggedIn(member.headers)).toBe(false);
    expect((await login(member.username, TEST_PASSWORD)).statusCode).toBe(400);
    expect((await login(member.username, 'another-one')).statusCode).toBe(200);
  });

  test('rejects a new password for the account of the caller with 403', async () => {
    const answer = await set({
      id: 1,
      password: 'taken-over',
      group_id: [await roleIdOf(ctx, '超级管理员')],
    });
    expect(statusAndMessage(answer)).toEqual([403, '请在“修改密码”中更改自己的密码']);
    expect((await login('admin', ADMIN_PASSWORD)).statusCode).toBe(200);
  });

  test('answers with 404 for an unknown user or role', async () => {
    expect(statusAndMessage(await set({ id: 99_999, group_id: [defaultRole] }))).toEqual([404, '用户不存在']);
    const member = await newMember(ctx, [defaultRole]);
    expect(statusAndMessage(await set({ id: member.id, group_id: [defaultRole, 9999] }))).toEqual([404, '角色不存在']);
    expect(await readRoles(member.id)).toEqual([defaultRole]);
  });
});

describe('banning', () => {
  test('ends the sessions immediately, and the next login shows reason and end of the ban', async () => {
    const member = await newMember(ctx, [defaultRole]);
    const second = await loginHeaders(ctx, member.id);
    const until = '2026-04-01T00:00:00Z';
    expect((await ban({ id: [member.id], ban: true, reason: '散布广告', until })).json()).toEqual({});
    expect([await isLoggedIn(member.headers), await isLoggedIn(second)]).toEqual([false, false]);
    expect(statusAndMessage(await login(member.username, TEST_PASSWORD))).toEqual([
      403,
      '账户已被禁用，至 2026-04-01，原因：散布广告',
    ]);
    const before = clock.now;
    clock.now = new Date('2026-04-01T00:00:01Z');
    expect((await login(member.username, TEST_PASSWORD)).statusCode).toBe(200);
    clock.now = before;
  });

  test('without an end lasts until it is lifted, and the old sessions stay ended', async () => {
    const member = await newMember(ctx, [defaultRole]);
    await ban({ id: [member.id], ban: true, reason: '盗号', until: null });
    expect((await login(member.username, TEST_PASSWORD)).statusCode).toBe(403);
    await ban({ id: [member.id], ban: false });
    expect(await isLoggedIn(member.headers)).toBe(false);
    expect((await login(member.username, TEST_PASSWORD)).statusCode).toBe(200);
  });

  test('requires a reason and an end in the future', async () => {
    const { id } = await newMember(ctx, [defaultRole]);
    expect(statusAndMessage(await ban({ id: [id], ban: true, reason: ' ' }))).toEqual([400, '请填写禁用原因']);
    const past = { id: [id], ban: true, reason: '刷屏', until: '2026-02-28T00:00:00Z' };
    expect(statusAndMessage(await ban(past))).toEqual([400, '禁用的期限应晚于现在']);
    expect(statusAndMessage(await ban({ ...past, until: '明天' }))).toEqual([400, '期限不正确']);
  });

  test('rejects a list with root, the caller or an unknown user and bans none', async () => {
    const member = await newMember(ctx, [defaultRole]);
    const staff = await newStaff(ctx, ['UserAPI/BanUser']);
    const reason = { ban: true, reason: '测试' };
    const cases = [
      [[member.id, 1], 403, '不能对 1 号用户这样做'],
      [[member.id, staff.id], 403, '不能对自己这样做'],
      [[member.id, 99_999], 404, '用户不存在'],
    ] as const;
    for (const [id, status, message] of cases)
      expect(statusAndMessage(await ban({ id, ...reason }, staff.headers))).toEqual([status, message]);
    expect(statusAndMessage(await ban({ id: [1], ...reason }))).toEqual([403, '不能对 1 号用户这样做']);
    expect(await isLoggedIn(member.headers)).toBe(true);
  });
});

describe('deleting users', () => {
  test('deletes their sessions and roles', async () => {
    const [firstMember, secondMember] = [await newMember(ctx, [defaultRole]), await newMember(ctx, [defaultRole])];
    expect((await remove([firstMember.id, secondMember.id, firstMember.id])).json()).toEqual({});
    expect([await exists(firstMember.id), await exists(secondMember.id)]).toEqual([false, false]);
    expect(await isLoggedIn(firstMember.headers)).toBe(false);
    expect(await findWrongCounts()).toEqual([]);
  });

  test('detaches the avatar of a deleted user', async () => {
    const { id } = await newMember(ctx, [defaultRole]);
    await pool.query(
      `insert into attachments (hash, user_id, type, type_id, path, size) values (repeat('a', 64), $1, 1, $1, '/uploads/x', 1)`,
      [id],
    );
    await remove([id]);
    const { rows } = await pool.query(`select user_id, type_id::int from attachments where path = '/uploads/x'`);
    expect(rows).toEqual([{ user_id: null, type_id: 0 }]);
  });

  test('rejects a password in the query string, which proxies would log, with 400', async () => {
    const { id } = await newMember(ctx);
    const answer = await request('DELETE', `/user?id=${id}&password=${ADMIN_PASSWORD}`);
    expect(statusAndMessage(answer)).toEqual([400, '密码不能写在地址中，请以 JSON 内容发送']);
    expect((await app.inject({ url: `/api/v1/user?id=${id}` })).statusCode).toBe(200);
  });

  test('requires the password of the caller', async () => {
    const { id } = await newMember(ctx, [defaultRole]);
    expect(statusAndMessage(await remove([id], 'not-mine'))).toEqual([400, '密码错误']);
    expect(statusAndMessage(await request('DELETE', `/user?id=${id}`))).toEqual([400, '请输入您的登录密码']);
    expect(await exists(id)).toBe(true);
  });

  test('rejects a list with root, the caller, an author of documents or an unknown user and deletes none', async () => {
    const member = await newMember(ctx, [defaultRole]);
    const author = await newMember(ctx, [defaultRole]);
    await pool.query('update users set doc_count = 1 where id = $1', [author.id]);
    const staff = await newStaff(ctx, ['UserAPI/DeleteUser']);
    const cases = [
      [1, 403, '不能对 1 号用户这样做'],
      [staff.id, 403, '不能对自己这样做'],
      [author.id, 409, `用户“${author.username}”存在文档，不允许删除`],
      [99_999, 404, '用户不存在'],
    ] as const;
    for (const [id, status, message] of cases)
      expect(statusAndMessage(await remove([member.id, id], TEST_PASSWORD, staff.headers))).toEqual([status, message]);
    expect(statusAndMessage(await remove([1]))).toEqual([403, '不能对 1 号用户这样做']);
    expect(await exists(member.id)).toBe(true);
    expect(await readRoles(member.id)).toEqual([defaultRole]);
  });
});
