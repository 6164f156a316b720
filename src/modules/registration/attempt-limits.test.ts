import { expect, test } from 'vitest';
import { createUser } from '#modules/account/account.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx } = await testApp();
for (const purpose of ['login', 'register', 'find_password'])
  await setSetting(ctx, `security.enable_captcha_${purpose}`, 'false');

const post = (url: string, payload: object, remoteAddress: string) =>
  app.inject({ method: 'POST', url: `/api/v1${url}`, payload, remoteAddress });
const statuses = async (times: number, send: (at: number) => ReturnType<typeof post>) => {
  const codes: number[] = [];
  for (let at = 0; at < times; at += 1) codes.push((await send(at)).statusCode);
  return codes;
};

test('the limit of failed logins to one account follows its setting without a restart', async () => {
  await createUser(ctx, { username: '限次者', password: 'right-password' });
  const guess = () => post('/user/login', { username: '限次者', password: 'wrong-password' }, '192.0.2.1');
  await setSetting(ctx, 'security.login_limit_account', '2');
  expect(await statuses(3, guess)).toEqual([400, 400, 429]);
  await setSetting(ctx, 'security.login_limit_account', '5');
  expect((await guess()).statusCode).toBe(400);
});

test('the limit of failed logins from one address follows its setting and counts all accounts together', async () => {
  await setSetting(ctx, 'security.login_limit_address', '3');
  const guess = (at: number) =>
    post('/user/login', { username: `unknown${at}`, password: 'wrong-password' }, '192.0.2.2');
  expect(await statuses(4, guess)).toEqual([400, 400, 400, 429]);
});

test('the limit of registrations from one address follows its setting', async () => {
  await setSetting(ctx, 'security.register_limit_address', '2');
  const register = (at: number) =>
    post(
      '/user/register',
      { username: `新人${at}`, password: 'a-good-password', email: `new${at}@mail.example` },
      '192.0.2.3',
    );
  expect(await statuses(3, register)).toEqual([200, 200, 429]);
});

test('the limit of password reset requests from one address follows its setting', async () => {
  await setSetting(ctx, 'security.reset_limit_address', '2');
  const reset = () => post('/user/findpassword/stepone', { email: 'reader@mail.example' }, '192.0.2.4');
  expect(await statuses(3, reset)).toEqual([200, 200, 429]);
});
