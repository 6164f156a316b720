import { expect, test } from 'vitest';
import { startMailServer } from '#modules/mail/mail-server.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { createUser } from './account.ts';

const { port, receivedMails } = await startMailServer();
const { app, ctx, clock, pool } = await testApp({
  env: { SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: 'https://douku.example' },
  runJobs: true,
});
clock.now = new Date();
await setSetting(ctx, 'security.enable_captcha_find_password', 'false');
await setSetting(ctx, 'security.enable_captcha_login', 'false');

let accountCount = 0;
async function createAccount() {
  accountCount += 1;
  const name = `reader${accountCount}`;
  const email = `${name}@mail.example`;
  const { id } = await createUser(ctx, { username: name, password: 'old-password', email });
  return { id, name, email };
}
const requestReset = (email: string, headers = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/user/findpassword/stepone',
    payload: { email },
    headers,
  });
const reset = (email: string, token: string, password = 'new-password') =>
  app.inject({
    method: 'PUT',
    url: '/api/v1/user/findpassword/steptwo',
    payload: { email, token, password },
  });
const login = (username: string, password: string) =>
  app.inject({ method: 'POST', url: '/api/v1/user/login', payload: { username, password } });

async function waitForLink(email: string): Promise<URL> {
  await expect.poll(() => receivedMails.some(({ to }) => to.includes(email))).toBe(true);
  const { data } = receivedMails.findLast(({ to }) => to.includes(email)) ?? { data: '' };
  const body = Buffer.from(/base64\r\n\r\n([\s\S]+?)\r\n\r?\n?--/.exec(data)?.[1] ?? '', 'base64');
  const text = body.length > 0 ? body.toString('utf8') : data.replace(/=\r\n/g, '').replace(/=3D/g, '=');
  return new URL(/https?:\/\/\S+findpassword\S+/.exec(text)?.[0] ?? '');
}

test('a user resets a forgotten password with a mailed link that works once', async () => {
  const { name, email } = await createAccount();
  const session = (await login(name, 'old-password')).json().token;
  expect((await requestReset(email)).statusCode).toBe(200);
  const link = await waitForLink(email);
  const token = link.searchParams.get('token') ?? '';
  expect([link.origin, link.pathname]).toEqual(['https://douku.example', '/findpassword']);
  expect((await reset(email, token)).statusCode).toBe(200);
  expect((await login(name, 'new-password')).statusCode).toBe(200);
  expect((await login(name, 'old-password')).statusCode).toBe(400);
  const headers = { authorization: `Bearer ${session}` };
  expect((await app.inject({ url: '/api/v1/user', headers })).statusCode).toBe(401);
  const secondUse = await reset(email, token, 'third-password');
  expect([secondUse.statusCode, secondUse.json().message]).toEqual([400, '重置链接无效或已过期，请重新申请']);
});

test('a reset link works for its account only, and of two concurrent uses one succeeds', async () => {
  const [victim, attacker] = [await createAccount(), await createAccount()];
  await requestReset(attacker.email);
  const token = (await waitForLink(attacker.email)).searchParams.get('token') ?? '';
  expect((await reset(victim.email, token)).statusCode).toBe(400);
  expect((await login(victim.name, 'old-password')).statusCode).toBe(200);
  await requestReset(attacker.email);
  await expect.poll(() => receivedMails.filter(({ to }) => to.includes(attacker.email)).length).toBe(2);
  const secondToken = (await waitForLink(attacker.email)).searchParams.get('token') ?? '';
  const responses = await Promise.all([reset(attacker.email, secondToken), reset(attacker.email, secondToken)]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
});

test('a reset link expires after half an hour', async () => {
  const { email } = await createAccount();
  await requestReset(email);
  const token = (await waitForLink(email)).searchParams.get('token') ?? '';
  const startTime = clock.now;
  clock.now = new Date(startTime.getTime() + 30 * 60_000);
  expect((await reset(email, token)).statusCode).toBe(400);
  clock.now = new Date(startTime.getTime() + 30 * 60_000 - 1000);
  expect((await reset(email, token)).statusCode).toBe(200);
  clock.now = startTime;
});

test('a forged Host header does not change the reset link', async () => {
  const { email } = await createAccount();
  await requestReset(email, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
  expect((await waitForLink(email)).host).toBe('douku.example');
});

test('requests to reset a password get the same answer for known and unknown addresses, and an unknown one gets no mail', async () => {
  const { email } = await createAccount();
  const answers = [await requestReset('unknown@mail.example'), await requestReset(email)];
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, '{}'],
    [200, '{}'],
  ]);
  // The jobs run in the order of the requests.
  await waitForLink(email);
  expect(receivedMails.some(({ to }) => to.includes('unknown@mail.example'))).toBe(false);
  const { rows } = await pool.query(`select 1 from mails where recipient = 'unknown@mail.example'`);
  expect(rows).toEqual([]);
});

test('rejects a request to reset a password with a list of addresses with 400', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/user/findpassword/stepone',
    payload: { email: ['a@mail.example', 'b@mail.example'] },
  });
  expect(answer.statusCode).toBe(400);
});

test('the sent reset mails stay in the outbox', async () => {
  const { rows } = await pool.query(`select status, count(*)::int as count from mails group by 1`);
  expect(rows.map(({ status }) => status)).toEqual(['sent']);
});
