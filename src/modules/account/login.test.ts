import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { amountForTier } from '#testing/test-tier.ts';
import { createUser, setPassword } from './account.ts';
import { preparePasswordLogins } from './login.fixture.ts';
import { totpCode } from './totp-code.fixture.ts';

const site = await testApp();
const { ctx, clock, app, pool } = site;
const { createAccount, login } = await preparePasswordLogins(site);

const GUESS_COUNT = amountForTier({ quick: 100, full: 1_000 });
test('of many wrong passwords from one address at most twenty are checked, and another address can still log in', async () => {
  const { username } = await createAccount();
  const statuses = new Map<number, number>();
  for (let batch = 0; batch < GUESS_COUNT / 50; batch += 1) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => login(username, `guess-${batch}-${at}`, '198.51.100.7')),
    );
    for (const { statusCode } of answers) statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }
  // Only answers with 400 come from a password check; all others were refused before it.
  expect(statuses.get(400)).toBeLessThanOrEqual(20);
  expect(statuses.get(429)).toBeGreaterThanOrEqual(GUESS_COUNT - 20);
  const refusedLogin = await login(username, 'right-password', '198.51.100.7');
  expect(refusedLogin.headers['retry-after']).toBeDefined();
  expect(refusedLogin.json().message).toMatch(/尝试次数过多，请 .+后再试/);
  expect((await login(username, 'right-password', '203.0.113.8')).statusCode).toBe(200);
  clock.now = new Date(clock.now.getTime() + 16 * 60_000);
  expect((await login(username, 'right-password', '198.51.100.7')).statusCode).toBe(200);
});

test('failed logins of one IPv6 network count together, also with a forged X-Forwarded-For header', async () => {
  const { username } = await createAccount();
  const answers = [];
  for (let guess = 0; guess < 15; guess += 1)
    answers.push(await login(username, 'wrong-password', `2001:db8:1:2::${guess.toString(16)}`));
  expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(10);
  const forgedResponses = [];
  const victim = await createAccount();
  for (let guess = 0; guess < 15; guess += 1)
    forgedResponses.push(
      await app.inject({
        method: 'POST',
        url: '/api/v1/user/login',
        remoteAddress: '198.51.100.20',
        headers: { 'x-forwarded-for': `203.0.113.${guess}` },
        payload: { username: victim.username, password: 'wrong-password' },
      }),
    );
  expect(forgedResponses.filter(({ statusCode }) => statusCode === 400)).toHaveLength(10);
});

test('failed logins to one account from many addresses are limited, and its owner can log in from a new address', async () => {
  const { username } = await createAccount();
  const answers = [];
  for (let address = 0; address < 12; address += 1)
    for (let guess = 0; guess < 9; guess += 1)
      answers.push(await login(username, 'wrong-password', `203.0.113.${100 + address}`));
  expect(answers.filter(({ statusCode }) => statusCode === 400).length).toBeLessThanOrEqual(62);
  expect((await login(username, 'right-password', '203.0.113.250')).statusCode).toBe(200);
});

test('a login that runs while the password changes opens no session', async () => {
  const { id, username } = await createAccount();
  const attempts = Array.from({ length: 10 }, (_, at) => login(username, 'right-password', `198.51.100.${100 + at}`));
  await setPassword(ctx, id, 'another-password');
  await Promise.all(attempts);
  const { rows } = await pool.query('select count(*)::int as count from sessions s where user_id = $1', [id]);
  expect(rows[0].count).toBe(0);
});

test('successful logins from one address are not limited', async () => {
  for (let visit = 0; visit < 25; visit += 1) {
    const { username } = await createAccount();
    expect((await login(username, 'right-password', '198.51.100.30')).statusCode).toBe(200);
  }
});

test('a user can log in with the e-mail address instead of the name', async () => {
  await createUser(ctx, {
    username: '以信登录',
    password: 'right-password',
    email: 'Me@Mail.example',
  });
  expect((await login('me@mail.EXAMPLE', 'right-password', '192.0.2.1')).statusCode).toBe(200);
});

test('a login to a banned account learns of the ban only with the correct password, and its sessions end immediately', async () => {
  const { id, username } = await createAccount();
  const { token } = (await login(username, 'right-password', '192.0.2.50')).json();
  const headers = { authorization: `Bearer ${token}` };
  await pool.query(`update users set is_banned = true, ban_reason = '发布广告', banned_until = $2 where id = $1`, [
    id,
    new Date(clock.now.getTime() + 3_600_000),
  ]);
  expect((await app.inject({ url: '/api/v1/user', headers })).statusCode).toBe(401);
  const right = await login(username, 'right-password', '192.0.2.50');
  expect(right.statusCode).toBe(403);
  expect(right.json().message).toMatch(/^账户已被禁用，至 .+，原因：发布广告$/);
  expect((await login(username, 'wrong-password', '192.0.2.50')).json().message).toBe('用户名或密码错误');
  clock.now = new Date(clock.now.getTime() + 2 * 3_600_000);
  expect((await login(username, 'right-password', '192.0.2.50')).statusCode).toBe(200);
});

test('a login with two-factor authentication requires a code, and each code works once', async () => {
  const { username } = await createAccount();
  const { token } = (await login(username, 'right-password', '192.0.2.60')).json();
  const headers = { authorization: `Bearer ${token}` };
  const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });

  expect((await call('POST', '/user/totp', { password: 'wrong' })).json().message).toBe('密码错误');
  const { secret, uri, qr } = (await call('POST', '/user/totp', { password: 'right-password' })).json();
  expect(uri).toContain(`secret=${secret}`);
  expect(qr).toMatch(/^data:image\/svg\+xml;base64,/);
  expect((await login(username, 'right-password', '192.0.2.60')).statusCode).toBe(200);
  const code = () => totpCode(secret, clock.now);
  expect((await call('PUT', '/user/totp', { code: '０００００' })).json().message).toBe('两步验证码错误');
  expect((await call('PUT', '/user/totp', { code: '000000' })).json().message).toBe('两步验证码错误');
  const { recovery_code } = (await call('PUT', '/user/totp', { code: code() })).json();
  expect(recovery_code).toHaveLength(10);
  expect((await call('GET', '/user/totp')).json()).toEqual({ enabled: true, recovery_left: 10 });

  const loginWithoutCode = await login(username, 'right-password', '192.0.2.60');
  expect([loginWithoutCode.statusCode, loginWithoutCode.json().code]).toEqual([400, 'user.codeNeeded']);
  const loginWithUsedCode = await login(username, 'right-password', '192.0.2.60', { code: code() });
  expect(loginWithUsedCode.json().message).toBe('两步验证码错误');
  clock.now = new Date(clock.now.getTime() + 30_000);
  const responses = await Promise.all(
    [1, 2].map(() => login(username, 'right-password', '192.0.2.60', { code: code() })),
  );
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  const recovery = { code: recovery_code[0].toLowerCase().replaceAll('-', ' ') };
  expect((await login(username, 'right-password', '192.0.2.60', recovery)).statusCode).toBe(200);
  expect((await login(username, 'right-password', '192.0.2.60', recovery)).statusCode).toBe(400);
  clock.now = new Date(clock.now.getTime() + 30_000);
  const off = await call('POST', '/user/totp/disable', {
    password: 'right-password',
    code: code(),
  });
  expect(off.statusCode).toBe(200);
  expect((await login(username, 'right-password', '192.0.2.60')).statusCode).toBe(200);
});

test('two-factor codes match the test vectors of RFC 6238', () => {
  // The vectors for SHA-1, last six digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const at = (seconds: number) => totpCode(secret, new Date(seconds * 1000));
  expect([at(59), at(1_111_111_109), at(20_000_000_000)]).toEqual(['287082', '081804', '353130']);
});

test('a user lists their devices and ends one or all of them, but none of another user', async () => {
  const [myAccount, otherAccount] = [await createAccount(), await createAccount()];
  const loginAgain = async (): Promise<string> =>
    (await login(myAccount.username, 'right-password', '192.0.2.70')).json().token;
  const tokens = [await loginAgain(), await loginAgain(), await loginAgain()] as const;
  const otherUsersToken = (await login(otherAccount.username, 'right-password', '192.0.2.71')).json().token;
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const list = async (token: string) =>
    (await app.inject({ url: '/api/v1/user/session/list', headers: as(token) })).json().session;
  const devices = await list(tokens[0]);
  expect(devices).toHaveLength(3);
  expect(devices.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  expect(devices[0]).not.toHaveProperty('token_hash');
  const [otherUsersDevice] = await list(otherUsersToken);
  const otherDevice = devices.find(({ current }: { current: boolean }) => !current);
  const end = (...ids: number[]) =>
    app.inject({
      method: 'DELETE',
      url: `/api/v1/user/session?${ids.map((id) => `id=${id}`).join('&')}`,
      headers: as(tokens[0]),
    });
  expect((await end(otherDevice.id, otherUsersDevice.id)).statusCode).toBe(404);
  expect(await list(tokens[0])).toHaveLength(3);
  expect(await list(otherUsersToken)).toHaveLength(1);
  expect((await end(otherDevice.id)).statusCode).toBe(200);
  expect(await list(tokens[0])).toHaveLength(2);
  await app.inject({ method: 'DELETE', url: '/api/v1/user/session/all', headers: as(tokens[0]) });
  expect((await app.inject({ url: '/api/v1/user', headers: as(tokens[0]) })).statusCode).toBe(401);
});
