import { expect, test } from 'vitest';
import { waitForMail, waitForMailedCode } from '#modules/mail/mail.fixture.ts';
import { PASSWORD } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { createUser } from './account.ts';
import { openSession } from './session.ts';

const { app, as, clock, ctx, pool } = await testApp({ work: true });

let people = 0;
async function person() {
  people += 1;
  const username = `mover${people}`;
  const email = `${username}@old.example`;
  const { id } = await createUser(ctx, { username, password: PASSWORD, email });
  const headers = { authorization: `Bearer ${await openSession(ctx, id)}` };
  const ask = (payload: object) => app.inject({ method: 'POST', url: '/api/v1/user/email/change', headers, payload });
  const save = (payload: object) => app.inject({ method: 'PUT', url: '/api/v1/user/profile', headers, payload });
  const mine = async () => (await app.inject({ url: '/api/v1/user', headers })).json();
  return { id, username, email, ask, save, mine };
}
const later = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000);
};

test('the own address changes with the password and the code that its new place was mailed', async () => {
  const { email, username, ask, save, mine } = await person();
  const next = 'Next1@new.example';
  const without = await save({ email: next, signature: '新' });
  expect([without.statusCode, without.json().message]).toEqual([400, '请输入邮箱验证码']);
  const refused = await ask({ email: next, password: 'not-the-password' });
  expect([refused.statusCode, refused.json().message]).toEqual([400, '密码错误']);
  expect((await ask({ email: next, password: PASSWORD })).json()).toEqual({});
  const code = await waitForMailedCode(pool, next);
  const wrong = await save({ email: next, code: code === '111111' ? '222222' : '111111' });
  expect([wrong.statusCode, wrong.json().message]).toEqual([400, '邮箱验证码错误或已过期']);
  expect((await mine()).email).toBe(email);
  expect((await save({ email: next, code, signature: '新' })).statusCode).toBe(200);
  expect(await mine()).toMatchObject({ email: next, signature: '新' });
  const warning = await waitForMail(pool, email);
  expect(warning.subject).toBe('邮箱已更改 - 豆库');
  expect(warning.text).toContain(username);
});

test('as long as the address stays, nothing of this is asked for', async () => {
  const { email, save, mine } = await person();
  expect((await save({ email: email.toUpperCase(), realname: '豆豆' })).statusCode).toBe(200);
  expect(await mine()).toMatchObject({ email: email.toUpperCase(), realname: '豆豆' });
});

test('a code is good for its account and its address alone, and once', async () => {
  const [one, other] = [await person(), await person()];
  await one.ask({ email: 'mine@new.example', password: PASSWORD });
  const code = await waitForMailedCode(pool, 'mine@new.example');
  expect((await other.save({ email: 'mine@new.example', code })).statusCode).toBe(400);
  expect((await one.save({ email: 'else@new.example', code })).statusCode).toBe(400);
  expect((await one.save({ email: 'mine@new.example', code })).statusCode).toBe(200);
  expect((await one.save({ email: one.email, code })).statusCode).toBe(400);
  expect((await one.save({ email: 'mine@new.example' })).statusCode).toBe(200);
});

test('an address of somebody else cannot be taken, and the answer does not tell that it is one', async () => {
  const [one, other] = [await person(), await person()];
  const answers = [
    await one.ask({ email: other.email, password: PASSWORD }),
    await one.ask({ email: 'free2@new.example', password: PASSWORD }),
  ];
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, '{}'],
    [200, '{}'],
  ]);
  const notice = await waitForMail(pool, other.email);
  expect(notice.subject).toBe('邮箱使用提醒 - 豆库');
  expect(notice.text).not.toMatch(/^\d{6}$/m);
  expect((await one.save({ email: other.email, code: '123456' })).json().message).toBe('邮箱验证码错误或已过期');
});

test('one that was taken in the meantime is refused in words', async () => {
  const one = await person();
  await one.ask({ email: 'raced@new.example', password: PASSWORD });
  const code = await waitForMailedCode(pool, 'raced@new.example');
  await createUser(ctx, { username: '更快的人', password: PASSWORD, email: 'raced@new.example' });
  const late = await one.save({ email: 'raced@new.example', code });
  expect([late.statusCode, late.json().message]).toEqual([409, '邮箱已存在']);
});

test('an address changed again and again is refused, and so no mailbox is flooded', async () => {
  const { ask } = await person();
  const statuses = [];
  for (let change = 0; change < 8; change += 1)
    statuses.push((await ask({ email: `again${change}@new.example`, password: PASSWORD })).statusCode);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  later(61);
  expect((await ask({ email: 'again9@new.example', password: PASSWORD })).statusCode).toBe(200);
});

test('a left desk cannot be used to guess the password', async () => {
  const { ask } = await person();
  const statuses = [];
  for (let guess = 0; guess < 12; guess += 1)
    statuses.push((await ask({ email: 'x@new.example', password: `guess-${guess}` })).statusCode);
  expect(statuses.filter((status) => status === 400)).toHaveLength(10);
});

test('an administrator still sets the address of others without a code', async () => {
  const { id, mine } = await person();
  const answer = await app.inject({
    method: 'PUT',
    url: '/api/v1/user/profile',
    headers: await as.root(),
    payload: { id, email: 'given@new.example' },
  });
  expect(answer.statusCode).toBe(200);
  expect((await mine()).email).toBe('given@new.example');
});

test('an account without an address saves its profile without one, and one with an address cannot remove it', async () => {
  const headers = await as.root();
  const save = (payload: object) => app.inject({ method: 'PUT', url: '/api/v1/user/profile', headers, payload });
  const answer = await save({ email: '', signature: '管理员在此' });
  expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
  const me = (await app.inject({ url: '/api/v1/user', headers })).json();
  expect(me).toMatchObject({ email: '', signature: '管理员在此' });
  const invalid = await save({ email: 'no address' });
  expect([invalid.statusCode, invalid.json().message]).toEqual([400, '请输入正确的电子邮箱']);
  const other = await person();
  const removed = await other.save({ email: '' });
  expect([removed.statusCode, removed.json().message]).toEqual([400, '请输入电子邮箱']);
  expect((await other.mine()).email).toBe(other.email);
});
