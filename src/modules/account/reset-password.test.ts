import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startMailServer } from '#modules/mail/mail-server.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { createUser } from './account.ts';

const { port, received } = await startMailServer();
const { app, ctx, clock, pool } = await testApp({
  env: { SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: 'https://douku.example' },
  runJobs: true,
});
clock.now = new Date();
await setSetting(ctx, 'security.enable_captcha_find_password', 'false');
await setSetting(ctx, 'security.enable_captcha_login', 'false');

let count = 0;
async function person() {
  count += 1;
  const name = `reader${count}`;
  const email = `${name}@mail.example`;
  const { id } = await createUser(ctx, { username: name, password: 'old-password', email });
  return { id, name, email };
}
const ask = (email: string, headers = {}) =>
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

/** The link in the newest mail to somebody, once it has arrived. */
async function linkFor(email: string): Promise<URL> {
  await expect.poll(() => received.some(({ to }) => to.includes(email))).toBe(true);
  const { data } = received.findLast(({ to }) => to.includes(email)) ?? { data: '' };
  const body = Buffer.from(/base64\r\n\r\n([\s\S]+?)\r\n\r?\n?--/.exec(data)?.[1] ?? '', 'base64');
  const text = body.length > 0 ? body.toString('utf8') : data.replace(/=\r\n/g, '').replace(/=3D/g, '=');
  return new URL(/https?:\/\/\S+findpassword\S+/.exec(text)?.[0] ?? '');
}

test('a forgotten password is reset by a mailed link that works once', async () => {
  const { name, email } = await person();
  const session = (await login(name, 'old-password')).json().token;
  expect((await ask(email)).statusCode).toBe(200);
  const link = await linkFor(email);
  const token = link.searchParams.get('token') ?? '';
  expect([link.origin, link.pathname]).toEqual(['https://douku.example', '/findpassword']);
  expect((await reset(email, token)).statusCode).toBe(200);
  expect((await login(name, 'new-password')).statusCode).toBe(200);
  expect((await login(name, 'old-password')).statusCode).toBe(400);
  const headers = { authorization: `Bearer ${session}` };
  expect((await app.inject({ url: '/api/v1/user', headers })).statusCode).toBe(401);
  const again = await reset(email, token, 'third-password');
  expect([again.statusCode, again.json().message]).toEqual([400, '重置链接无效或已过期，请重新申请']);
});

test('a link opens its own account only, and of two uses at once one succeeds', async () => {
  const [victim, attacker] = [await person(), await person()];
  await ask(attacker.email);
  const token = (await linkFor(attacker.email)).searchParams.get('token') ?? '';
  expect((await reset(victim.email, token)).statusCode).toBe(400);
  expect((await login(victim.name, 'old-password')).statusCode).toBe(200);
  await ask(attacker.email);
  await expect.poll(() => received.filter(({ to }) => to.includes(attacker.email)).length).toBe(2);
  const next = (await linkFor(attacker.email)).searchParams.get('token') ?? '';
  const both = await Promise.all([reset(attacker.email, next), reset(attacker.email, next)]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
});

test('a link is void after half an hour', async () => {
  const { email } = await person();
  await ask(email);
  const token = (await linkFor(email)).searchParams.get('token') ?? '';
  const before = clock.now;
  clock.now = new Date(before.getTime() + 30 * 60_000);
  expect((await reset(email, token)).statusCode).toBe(400);
  clock.now = new Date(before.getTime() + 30 * 60_000 - 1000);
  expect((await reset(email, token)).statusCode).toBe(200);
  clock.now = before;
});

test('a poisoned Host header changes no link', async () => {
  const { email } = await person();
  await ask(email, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
  expect((await linkFor(email)).host).toBe('douku.example');
});

test('known and unknown addresses get the same answer, and the unknown one no mail', async () => {
  const { email } = await person();
  const answers = [await ask(email), await ask('nobody@mail.example')];
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, '{}'],
    [200, '{}'],
  ]);
  await linkFor(email);
  await sleep(300);
  expect(received.some(({ to }) => to.includes('nobody@mail.example'))).toBe(false);
});

test('several addresses in one field are refused', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/user/findpassword/stepone',
    payload: { email: ['a@mail.example', 'b@mail.example'] },
  });
  expect(answer.statusCode).toBe(400);
});

test('the outbox keeps what was sent', async () => {
  const { rows } = await pool.query(`select status, count(*)::int as count from mails group by 1`);
  expect(rows.map(({ status }) => status)).toEqual(['sent']);
});
