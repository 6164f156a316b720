import { expect, test } from 'vitest';
import { TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { createUser } from './account.ts';
import { openSession } from './session.ts';
import { totpCode } from './totp-code.fixture.ts';

const { app, clock, ctx } = await testApp();
await setSetting(ctx, 'security.enable_captcha_login', 'false');

let accountCount = 0;
async function createTwoFactorAccount({ isEnabled = true } = {}) {
  accountCount += 1;
  const username = `careful${accountCount}`;
  const { id } = await createUser(ctx, { username, password: TEST_PASSWORD });
  const headers = { authorization: `Bearer ${await openSession(ctx, id)}` };
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
    const url = `/api/v1/user/${path}`;
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, ...answer.json() };
  };
  const renew = (input: object = {}) => call('POST', 'totp/recovery', { password: TEST_PASSWORD, ...input });
  const login = (code: string) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/user/login',
      payload: { username, password: TEST_PASSWORD, code },
    });
  if (!isEnabled) return { call, renew, login, codes: [] as string[], nextCode: () => '' };
  const { secret } = await call('POST', 'totp', { password: TEST_PASSWORD });
  /** Each code works once, so the clock advances. */
  const nextCode = () => {
    clock.now = new Date(clock.now.getTime() + 30_000);
    return totpCode(secret, clock.now);
  };
  const { recovery_code } = await call('PUT', 'totp', { code: nextCode() });
  return { call, renew, login, codes: recovery_code as string[], nextCode };
}

test('new recovery codes replace the old ones, and two-factor login stays enabled', async () => {
  const { call, renew, login, codes, nextCode } = await createTwoFactorAccount();
  expect((await login(codes[0] ?? '')).statusCode).toBe(200);
  expect(await call('GET', 'totp')).toMatchObject({ enabled: true, recovery_left: 9 });
  const { status, recovery_code } = await renew({ code: nextCode() });
  expect([status, recovery_code.length]).toEqual([200, 10]);
  expect(recovery_code.filter((code: string) => codes.includes(code))).toEqual([]);
  expect(await call('GET', 'totp')).toMatchObject({ enabled: true, recovery_left: 10 });
  expect((await login(codes[1] ?? '')).statusCode).toBe(400);
  expect((await login(recovery_code[0])).statusCode).toBe(200);
});

test('new recovery codes require the password and an unused two-factor code', async () => {
  const { call, renew, nextCode } = await createTwoFactorAccount();
  const code = nextCode();
  expect(await renew({ password: 'not-this-one', code })).toMatchObject({ message: '密码错误' });
  expect(await renew({ code: '' })).toMatchObject({ message: '请输入两步验证码' });
  expect(await renew({ code: '000000' })).toMatchObject({ message: '两步验证码错误' });
  expect((await renew({ code })).status).toBe(200);
  expect(await renew({ code })).toMatchObject({ status: 400, message: '两步验证码错误' });
  expect(await call('GET', 'totp')).toMatchObject({ recovery_left: 10 });
});

test('of two concurrent renewals of the recovery codes one set of ten codes remains', async () => {
  const { call, renew, codes } = await createTwoFactorAccount();
  const responses = await Promise.all([renew({ code: codes[0] }), renew({ code: codes[1] })]);
  expect(responses.map(({ status }) => status)).toContain(200);
  expect(await call('GET', 'totp')).toMatchObject({ recovery_left: 10 });
});

test('limits attempts to renew recovery codes with wrong two-factor codes', async () => {
  const { renew } = await createTwoFactorAccount();
  const statuses = [];
  for (let guess = 0; guess < 12; guess += 1) statuses.push((await renew({ code: '000000' })).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
});

test('rejects the renewal of recovery codes without two-factor login with 409', async () => {
  const { renew } = await createTwoFactorAccount({ isEnabled: false });
  expect(await renew({ code: '123456' })).toMatchObject({
    status: 409,
    message: '两步验证没有开启',
  });
});
