import { expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, clock, ctx, pool } = await testApp();
await setSetting(ctx, 'security.enable_captcha_register', 'false');

const register = (payload: object, remoteAddress = '192.0.2.1') =>
  app.inject({ method: 'POST', url: '/api/v1/user/register', payload, remoteAddress });
const newAccount = (username: string, extraInput = {}) => ({
  username,
  password: 'good-password',
  email: `${encodeURIComponent(username).replaceAll('%', '')}@mail.example`,
  ...extraInput,
});

test('a registration creates an account with the default role and ten credits and logs in', async () => {
  const answer = await register(newAccount('林小满'));
  expect(answer.statusCode).toBe(200);
  const { user, token } = answer.json();
  expect(user).toMatchObject({ username: '林小满', credit_count: 10 });
  expect(user).not.toHaveProperty('password_hash');
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.inject({ url: '/api/v1/user', headers })).json().id).toBe(user.id);
  const { rows } = await pool.query(
    `select r.title from user_roles ur join roles r on r.id = ur.role_id where ur.user_id = $1`,
    [user.id],
  );
  expect(rows).toEqual([{ title: '普通用户' }]);
  const feed = (await app.inject(`/api/v1/user/dynamic?id=${user.id}`)).json().dynamic;
  expect(feed[0].content).toContain('注册成为本站用户');
});

test('a registration records time and IP address of the login', async () => {
  const { user } = (await register(newAccount('周大雪'))).json();
  expect(user.login_at).toBe(clock.now.toISOString());
  expect(user.last_login_ip).not.toBe('');
});

test('rejects an existing name or e-mail address in any case with 409, also for concurrent registrations', async () => {
  await register(newAccount('Taken', { email: 'taken@mail.example' }));
  expect((await register(newAccount('tAKEN'))).json().message).toBe('用户名已存在');
  const sameMail = await register(newAccount('other', { email: 'TAKEN@mail.example' }));
  expect([sameMail.statusCode, sameMail.json().message]).toEqual([409, '邮箱已存在']);
  const responses = await Promise.all([register(newAccount('race')), register(newAccount('race'))]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test.each([
  [{ username: 'ab' }, '用户名为 3 到 32 个字符，可用中文、字母、数字和 _ - .'],
  [{ username: '豆'.repeat(33) }, '用户名为 3 到 32 个字符，可用中文、字母、数字和 _ - .'],
  [{ username: 'a b c' }, '用户名为 3 到 32 个字符，可用中文、字母、数字和 _ - .'],
  [{ username: 'me@mail.example' }, '出于隐私保护，用户名不能是邮箱或手机号码'],
  [{ username: '13800138000' }, '出于隐私保护，用户名不能是邮箱或手机号码'],
  [{ password: '1234567' }, '登录密码至少 8 位'],
  [{ email: 'not-an-address' }, '请输入正确的电子邮箱'],
  [{ email: '' }, '请输入电子邮箱'],
])('a registration with %o is rejected: %s', async (invalidInput, message) => {
  const answer = await register({ ...newAccount('new-member'), ...invalidInput });
  expect([answer.statusCode, answer.json().message]).toEqual([400, message]);
});

test.each(['豆子豆', '豆'.repeat(32), 'Az9', '豆_-.z0'])(
  'a registration accepts the username %s with a password of 8 characters',
  async (username) => {
    const answer = await register(
      newAccount(username, { password: '12345678', email: `${crypto.randomUUID()}@mail.example` }),
    );
    expect([answer.statusCode, answer.json().user?.username]).toEqual([200, username]);
  },
);

test('a registration awards the credit of the setting score.register', async () => {
  await setSetting(ctx, 'score.register', '25');
  const answer = await register(newAccount('二十五豆'));
  expect(answer.json().user.credit_count).toBe(25);
  await setSetting(ctx, 'score.register', '10');
});

test('rejects a registration with credit, roles, id or ban fields with 400', async () => {
  for (const protectedField of [{ credit_count: 1000 }, { group_id: [1] }, { id: 1 }, { is_banned: false }])
    expect((await register({ ...newAccount('schemer'), ...protectedField })).statusCode).toBe(400);
});

test('rejects a registration with 403 when registration or the site is closed', async () => {
  await setSetting(ctx, 'security.enable_register', 'false');
  const refusal = await register(newAccount('late-one'));
  expect([refusal.statusCode, refusal.json().message]).toEqual([403, '系统未开放注册']);
  await setSetting(ctx, 'security.enable_register', 'true');
  await setSetting(ctx, 'security.is_close', 'true');
  expect((await register(newAccount('late-two'))).json().message).toBe('网站已关闭，暂时不允许注册');
  await setSetting(ctx, 'security.is_close', 'false');
});

test('a registration requires a captcha when the setting is on', async () => {
  await setSetting(ctx, 'security.enable_captcha_register', 'true');
  expect((await register(newAccount('robot'))).json().message).toBe('请输入验证码');
  await setSetting(ctx, 'security.enable_captcha_register', 'false');
});
