import { expect, test } from 'vitest';
import { PASSWORD } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { createUser } from './account.ts';
import { openSession } from './session.ts';
import { totpCode, totpStep } from './two-factor.ts';

const { app, clock, ctx } = await testApp();
await setSetting(ctx, 'security.enable_captcha_login', 'false');

let people = 0;
/** Somebody with two-factor login, and the codes it came with. */
async function careful({ on = true } = {}) {
  people += 1;
  const username = `careful${people}`;
  const { id } = await createUser(ctx, { username, password: PASSWORD });
  const headers = { authorization: `Bearer ${await openSession(ctx, id)}` };
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
    const url = `/api/v1/user/${path}`;
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, ...answer.json() };
  };
  const renew = (input: object = {}) => call('POST', 'totp/recovery', { password: PASSWORD, ...input });
  const login = (code: string) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/user/login',
      payload: { username, password: PASSWORD, code },
    });
  if (!on) return { call, renew, login, codes: [] as string[], next: () => '' };
  const { secret } = await call('POST', 'totp', { password: PASSWORD });
  /** Each code opens once, so the clock moves on. */
  const next = () => {
    clock.now = new Date(clock.now.getTime() + 30_000);
    return totpCode(secret, totpStep(clock.now));
  };
  const { recovery_code } = await call('PUT', 'totp', { code: next() });
  return { call, renew, login, codes: recovery_code as string[], next };
}

test('new recovery codes take the place of the old ones while two-factor login stays on', async () => {
  const { call, renew, login, codes, next } = await careful();
  expect((await login(codes[0] ?? '')).statusCode).toBe(200);
  expect(await call('GET', 'totp')).toMatchObject({ enabled: true, recovery_left: 9 });
  const { status, recovery_code } = await renew({ code: next() });
  expect([status, recovery_code.length]).toEqual([200, 10]);
  expect(recovery_code.filter((code: string) => codes.includes(code))).toEqual([]);
  expect(await call('GET', 'totp')).toMatchObject({ enabled: true, recovery_left: 10 });
  expect((await login(codes[1] ?? '')).statusCode).toBe(400);
  expect((await login(recovery_code[0])).statusCode).toBe(200);
});

test('both proofs are asked for, and a code that was used is none', async () => {
  const { call, renew, next } = await careful();
  const code = next();
  expect(await renew({ password: 'not-this-one', code })).toMatchObject({ message: '密码错误' });
  expect(await renew({ code: '' })).toMatchObject({ message: '请输入两步验证码' });
  expect(await renew({ code: '000000' })).toMatchObject({ message: '两步验证码错误' });
  expect((await renew({ code })).status).toBe(200);
  expect(await renew({ code })).toMatchObject({ status: 400, message: '两步验证码错误' });
  expect(await call('GET', 'totp')).toMatchObject({ recovery_left: 10 });
});

test('of two renewals at once the later codes are the ones that count, ten in all', async () => {
  const { call, renew, codes } = await careful();
  const both = await Promise.all([renew({ code: codes[0] }), renew({ code: codes[1] })]);
  expect(both.map(({ status }) => status)).toContain(200);
  expect(await call('GET', 'totp')).toMatchObject({ recovery_left: 10 });
});

test('guesses are slowed', async () => {
  const { renew } = await careful();
  const statuses = [];
  for (let guess = 0; guess < 12; guess += 1) statuses.push((await renew({ code: '000000' })).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
});

test('without two-factor login there is nothing to renew', async () => {
  const { renew } = await careful({ on: false });
  expect(await renew({ code: '123456' })).toMatchObject({
    status: 409,
    message: '两步验证没有开启',
  });
});
