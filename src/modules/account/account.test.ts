import { expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';

const { app, as, clock, ctx, pool } = await testApp();
await setSetting(ctx, 'security.enable_captcha_login', 'false');

const login = (username: string, password: string) =>
  app.inject({ method: 'POST', url: '/api/v1/user/login', payload: { username, password } });
const getUser = (token: string) => app.inject({ url: '/api/v1/user', headers: { authorization: `Bearer ${token}` } });

test('the seeded administrator logs in, and the token identifies the account', async () => {
  const answer = await login('admin', ADMIN_PASSWORD);
  expect(answer.statusCode).toBe(200);
  const { token, user } = answer.json();
  expect(user).toMatchObject({ id: 1, username: 'admin', email: '' });
  expect(user).not.toHaveProperty('password_hash');
  expect((await getUser(token)).json().username).toBe('admin');
});

test('GET /user returns the account of the caller with every field of the specification', async () => {
  const headers = await as.user();
  const { id, username } = (await app.inject({ url: '/api/v1/user', headers })).json();
  const profile = {
    realname: '豆豆',
    identity: '110101199001010011',
    email: 'reader@mail.example',
    mobile: '13800000000',
    avatar: '/uploads/avatar/x.webp',
    address: '书院路 1 号',
    signature: '读书不觉已春深',
    created_at: '2026-01-01T00:00:00.000Z',
    login_at: '2026-01-02T00:00:00.000Z',
    last_login_ip: '203.0.113.9',
  };
  const columns = Object.keys(profile).map((name, at) => `${name} = $${at + 2}`);
  await pool.query(`update users set ${columns.join(', ')} where id = $1`, [id, ...Object.values(profile)]);
  const answer = await app.inject({ url: '/api/v1/user', headers });
  expect(answer.json()).toMatchObject({ id, username, ...profile });
});

test('each login returns a different session token of 32 random bytes', async () => {
  const tokens = [await login('admin', ADMIN_PASSWORD), await login('admin', ADMIN_PASSWORD)].map(
    (answer) => answer.json().token,
  );
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  expect(new Set(tokens).size).toBe(2);
});

test('a login with a wrong password and one with an unknown name get the same answer', async () => {
  const answers = [await login('admin', 'wrong-password'), await login('unknown-user', 'wrong-password')];
  expect(answers.map((each) => [each.statusCode, each.json().message])).toEqual([
    [400, '用户名或密码错误'],
    [400, '用户名或密码错误'],
  ]);
});

test('passwords are stored as argon2id hashes and session tokens only as hashes', async () => {
  const { token } = (await login('admin', ADMIN_PASSWORD)).json();
  const { rows } = await pool.query(
    `select u.password_hash, s.token_hash from users u join sessions s on s.user_id = u.id`,
  );
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$/);
  for (const { token_hash } of rows) expect(token_hash.toString()).not.toContain(token);
});

test('a logout ends the session', async () => {
  const { token } = (await login('admin', ADMIN_PASSWORD)).json();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await app.inject({ method: 'DELETE', url: '/api/v1/user/logout', headers });
  expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
  expect((await getUser(token)).statusCode).toBe(401);
});

test('an API answer has the header x-session: ended exactly when the bearer token is invalid', async () => {
  const { token } = (await login('admin', ADMIN_PASSWORD)).json();
  const answersTo = (headers: { authorization?: string }) =>
    Promise.all(
      ['/user/list', '/document/list', '/document?id=987654', '/user'].map(async (path) => {
        const answer = await app.inject({ url: `/api/v1${path}`, headers });
        return [answer.statusCode, answer.headers['x-session']];
      }),
    );
  const headers = { authorization: `Bearer ${token}` };
  const withoutHeader = [200, 200, 404, 200].map((status) => [status, undefined]);
  expect(await answersTo(headers)).toEqual(withoutHeader);
  expect(await answersTo({})).toEqual([...withoutHeader.slice(0, 3), [401, undefined]]);
  const logout = await app.inject({ method: 'DELETE', url: '/api/v1/user/logout', headers });
  expect(logout.headers['x-session']).toBeUndefined();
  expect(await answersTo(headers)).toEqual([200, 200, 404, 401].map((status) => [status, 'ended']));
});

test('a session expires thirty days after its last use', async () => {
  const { token } = (await login('admin', ADMIN_PASSWORD)).json();
  const day = 24 * 3600 * 1000;
  const start = clock.now.getTime();
  clock.now = new Date(start + 29 * day);
  expect((await getUser(token)).statusCode).toBe(200);
  clock.now = new Date(start + 58 * day);
  expect((await getUser(token)).statusCode).toBe(200);
  clock.now = new Date(start + 88 * day - 1000);
  expect((await getUser(token)).statusCode).toBe(200);
  clock.now = new Date(start + 118 * day);
  expect((await getUser(token)).statusCode).toBe(401);
  clock.now = new Date(start);
});

test('a password change requires the old password and ends the other sessions', async () => {
  const headers = await as.user();
  const { username } = (await app.inject({ url: '/api/v1/user', headers })).json();
  const otherToken = (await login(username, 'a-password')).json().token;
  const change = (old_password: string, new_password: string) =>
    app.inject({
      method: 'PUT',
      url: '/api/v1/user/password',
      headers,
      payload: { old_password, new_password },
    });
  const rejectedResponse = await change('not-the-old-one', 'new-password');
  expect([rejectedResponse.statusCode, rejectedResponse.json().message]).toEqual([400, '原密码不正确']);
  expect((await change('a-password', 'short')).json().message).toBe('新密码至少 8 位');
  expect((await change('a-password', 'new-password')).statusCode).toBe(200);
  expect((await getUser(otherToken)).statusCode).toBe(401);
  expect((await app.inject({ url: '/api/v1/user', headers })).statusCode).toBe(200);
  expect((await login(username, 'new-password')).statusCode).toBe(200);
});

test('rejects a password change for the id of another user with 403', async () => {
  const answer = await app.inject({
    method: 'PUT',
    url: '/api/v1/user/password',
    headers: await as.user(),
    payload: { id: 1, old_password: 'a-password', new_password: 'new-password' },
  });
  expect([answer.statusCode, answer.json().message]).toEqual([403, '您没有权限更改他人信息']);
});
