import { expect, test } from 'vitest';
import { createUser } from '#modules/account/account.ts';
import { waitForMail, waitForMailedCode } from '#modules/mail/mail.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, clock, ctx, pool } = await testApp({ runJobs: true });
await setSetting(ctx, 'security.enable_captcha_register', 'false');
await setSetting(ctx, 'security.enable_verify_register_email', 'true');

let requestCount = 0;
/** Each request comes from a different address unless one is passed. */
const post = (url: string, payload: object, remoteAddress?: string) => {
  requestCount += 1;
  return app.inject({
    method: 'POST',
    url: `/api/v1/user/${url}`,
    payload,
    remoteAddress: remoteAddress ?? `192.0.2.${requestCount % 250}`,
  });
};
const requestCode = (email: string, remoteAddress?: string) => post('email/code', { email }, remoteAddress);
const register = (email: string, extraInput: object = {}) =>
  post('register', {
    username: `读者${email.split('@')[0]}`,
    password: 'good-password',
    email,
    ...extraInput,
  });
const advanceClock = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000);
};
const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000');

test('a registration requires the six-digit code that was mailed to the address', async () => {
  const email = 'Reader@mail.example';
  const withoutCode = await register(email);
  expect([withoutCode.statusCode, withoutCode.json().message]).toEqual([400, '请输入邮箱验证码']);
  expect((await requestCode(email)).json()).toEqual({});
  const { subject } = await waitForMail(pool, email);
  expect(subject).toBe('邮箱验证码 - 豆库');
  const code = await waitForMailedCode(pool, email);
  expect(code).toMatch(/^\d{6}$/);
  const response = await register(email, { code: wrongCode(code) });
  expect([response.statusCode, response.json().message]).toEqual([400, '邮箱验证码错误或已过期']);
  expect((await register('other@mail.example', { code })).statusCode).toBe(400);
  const answer = await register(email.toLowerCase(), {
    code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
  });
  expect(answer.json().user).toMatchObject({ email: email.toLowerCase() });
});

test('a mailed code is stored only as an argon2id hash', async () => {
  await requestCode('hashed@mail.example');
  const code = await waitForMailedCode(pool, 'hashed@mail.example');
  const { rows } = await pool.query('select * from email_codes where email = $1', ['hashed@mail.example']);
  expect(rows[0].code_hash).toMatch(/^\$argon2id\$/);
  expect(JSON.stringify(rows)).not.toContain(code);
});

test('a mailed code works once, also for two concurrent registrations', async () => {
  const email = 'once@mail.example';
  await requestCode(email);
  const code = await waitForMailedCode(pool, email);
  const responses = await Promise.all([
    register(email, { code, username: '一次甲' }),
    register(email, { code, username: '一次乙' }),
  ]);
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

test('a registration with an existing name does not consume the mailed code', async () => {
  const email = 'patient@mail.example';
  await createUser(ctx, { username: '占着的名字', password: 'good-password' });
  await requestCode(email);
  const code = await waitForMailedCode(pool, email);
  for (let attempt = 0; attempt < 7; attempt += 1)
    expect((await register(email, { code, username: '占着的名字' })).statusCode).toBe(409);
  expect((await register(email, { code })).statusCode).toBe(200);
});

test('rejects the correct mailed code after five wrong ones', async () => {
  const email = 'guessed@mail.example';
  await requestCode(email);
  const code = await waitForMailedCode(pool, email);
  const tries = await Promise.all(Array.from({ length: 8 }, () => register(email, { code: wrongCode(code) })));
  expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
  expect((await register(email, { code })).json().message).toBe('邮箱验证码错误或已过期');
});

test('a mailed code expires after ten minutes, and a new one replaces it', async () => {
  const email = 'slow@mail.example';
  await requestCode(email);
  const first = await waitForMailedCode(pool, email);
  advanceClock(10);
  expect((await register(email, { code: first })).statusCode).toBe(400);
  await requestCode(email);
  const second = await waitForMailedCode(pool, email, 2);
  if (first !== second) expect((await register(email, { code: first })).statusCode).toBe(400);
  expect((await register(email, { code: second })).statusCode).toBe(200);
});

test('a request for a code gets the same answer for an address of an account, and its owner is warned', async () => {
  const email = 'owner@mail.example';
  await createUser(ctx, { username: '邮箱的主人', password: 'good-password', email });
  const answers = [await requestCode(email.toUpperCase()), await requestCode('free@mail.example')];
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, '{}'],
    [200, '{}'],
  ]);
  const notice = await waitForMail(pool, email);
  expect(notice.subject).toBe('邮箱使用提醒 - 豆库');
  expect(notice.text).toContain('邮箱的主人，您好');
  expect(notice.text).not.toMatch(/^\d{6}$/m);
  const response = await register(email, { code: '123456', username: '冒名的人' });
  expect(response.json().message).toBe('邮箱验证码错误或已过期');
});

test('limits codes to one a minute and five an hour for each mailbox, with or without an account', async () => {
  advanceClock(120);
  for (const email of ['flood@mail.example', 'owner@mail.example']) {
    expect((await requestCode(email)).statusCode).toBe(200);
    const soon = await requestCode(email);
    expect([soon.statusCode, soon.json().message]).toEqual([429, '发送太频繁，请 60 秒后再试']);
    expect(soon.headers['retry-after']).toBe('60');
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      advanceClock(1.1);
      statuses.push((await requestCode(email)).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  }
});

test('limits the mailboxes to which one IP address can have codes mailed to twenty', async () => {
  const statuses = [];
  for (let at = 0; at < 22; at += 1)
    statuses.push((await requestCode(`many${at}@mail.example`, '198.51.100.9')).statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
});

test('requesting a code requires the captcha, and the registration with the code does not', async () => {
  await setSetting(ctx, 'security.enable_captcha_register', 'true');
  expect((await requestCode('robot@mail.example')).json().message).toBe('请输入验证码');
  await setSetting(ctx, 'security.enable_captcha_register', 'false');
  await requestCode('human@mail.example');
  const code = await waitForMailedCode(pool, 'human@mail.example');
  await setSetting(ctx, 'security.enable_captcha_register', 'true');
  expect((await register('human@mail.example', { code })).statusCode).toBe(200);
  await setSetting(ctx, 'security.enable_captcha_register', 'false');
});

test('rejects requests for a code when addresses are not verified or registration is closed, and sends no mail', async () => {
  const refusals = async () => {
    const { statusCode, json } = await requestCode('unknown@mail.example');
    return [statusCode, json().message];
  };
  await setSetting(ctx, 'security.enable_verify_register_email', 'false');
  expect(await refusals()).toEqual([400, '网站没有开启注册邮箱验证']);
  expect((await register('plain@mail.example', { code: 'whatever' })).statusCode).toBe(200);
  await setSetting(ctx, 'security.enable_verify_register_email', 'true');
  await setSetting(ctx, 'security.enable_register', 'false');
  expect(await refusals()).toEqual([403, '系统未开放注册']);
  await setSetting(ctx, 'security.enable_register', 'true');
  await setSetting(ctx, 'security.is_close', 'true');
  expect(await refusals()).toEqual([403, '网站已关闭，暂时不允许注册']);
  await setSetting(ctx, 'security.is_close', 'false');
  expect((await post('email/code', { email: 'x@mail.example', type: 1 })).statusCode).toBe(400);
  // The jobs run in the order of the requests.
  await requestCode('later@mail.example');
  await waitForMail(pool, 'later@mail.example');
  const { rows } = await pool.query(`select 1 from mails where recipient = 'unknown@mail.example'`);
  expect(rows).toEqual([]);
});
