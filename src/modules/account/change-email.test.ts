import { expect, test } from 'vitest';
import { waitForMail, waitForMailedCode } from '#modules/mail/mail.fixture.ts';
import { TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { createUser } from './account.ts';
import { openSession } from './session.ts';

const { app, as, clock, ctx, pool } = await testApp({ runJobs: true });

let accountCount = 0;
async function createAccount() {
  accountCount += 1;
  const username = `mover${accountCount}`;
  const email = `${username}@old.example`;
  const { id } = await createUser(ctx, { username, password: TEST_PASSWORD, email });
  const headers = { authorization: `Bearer ${await openSession(ctx, id)}` };
  const requestCode = (payload: object) =>
    app.inject({ method: 'POST', url: '/api/v1/user/email/change', headers, payload });
  const saveProfile = (payload: object) => app.inject({ method: 'PUT', url: '/api/v1/user/profile', headers, payload });
  const readAccount = async () => (await app.inject({ url: '/api/v1/user', headers })).json();
  return { id, username, email, requestCode, saveProfile, readAccount };
}
const advanceClock = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000);
};

test('a user changes the e-mail address with the password and the code that is mailed to the new address', async () => {
  const { email, username, requestCode, saveProfile, readAccount } = await createAccount();
  const newEmail = 'Next1@new.example';
  const withoutCode = await saveProfile({ email: newEmail, signature: '新' });
  expect([withoutCode.statusCode, withoutCode.json().message]).toEqual([400, '请输入邮箱验证码']);
  const wrongPassword = await requestCode({ email: newEmail, password: 'not-the-password' });
  expect([wrongPassword.statusCode, wrongPassword.json().message]).toEqual([400, '密码错误']);
  expect((await requestCode({ email: newEmail, password: TEST_PASSWORD })).json()).toEqual({});
  const code = await waitForMailedCode(pool, newEmail);
  const wrongCode = await saveProfile({ email: newEmail, code: code === '111111' ? '222222' : '111111' });
  expect([wrongCode.statusCode, wrongCode.json().message]).toEqual([400, '邮箱验证码错误或已过期']);
  expect((await readAccount()).email).toBe(email);
  expect((await saveProfile({ email: newEmail, code, signature: '新' })).statusCode).toBe(200);
  expect(await readAccount()).toMatchObject({ email: newEmail, signature: '新' });
  const warning = await waitForMail(pool, email);
  expect(warning.subject).toBe('邮箱已更改 - 豆库');
  expect(warning.text).toContain(username);
});

test('saving the profile with an unchanged e-mail address requires neither password nor code', async () => {
  const { email, saveProfile, readAccount } = await createAccount();
  expect((await saveProfile({ email: email.toUpperCase(), realname: '豆豆' })).statusCode).toBe(200);
  expect(await readAccount()).toMatchObject({ email: email.toUpperCase(), realname: '豆豆' });
});

test('a code for an e-mail change is valid once, for its account and its address only', async () => {
  const [account, otherAccount] = [await createAccount(), await createAccount()];
  await account.requestCode({ email: 'mine@new.example', password: TEST_PASSWORD });
  const code = await waitForMailedCode(pool, 'mine@new.example');
  expect((await otherAccount.saveProfile({ email: 'mine@new.example', code })).statusCode).toBe(400);
  expect((await account.saveProfile({ email: 'else@new.example', code })).statusCode).toBe(400);
  expect((await account.saveProfile({ email: 'mine@new.example', code })).statusCode).toBe(200);
  expect((await account.saveProfile({ email: account.email, code })).statusCode).toBe(400);
  expect((await account.saveProfile({ email: 'mine@new.example' })).statusCode).toBe(200);
});

test('the request for an address of another account gets the same answer, warns its owner and cannot be completed', async () => {
  const [account, otherAccount] = [await createAccount(), await createAccount()];
  const answers = [
    await account.requestCode({ email: otherAccount.email, password: TEST_PASSWORD }),
    await account.requestCode({ email: 'free2@new.example', password: TEST_PASSWORD }),
  ];
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, '{}'],
    [200, '{}'],
  ]);
  const notice = await waitForMail(pool, otherAccount.email);
  expect(notice.subject).toBe('邮箱使用提醒 - 豆库');
  expect(notice.text).not.toMatch(/^\d{6}$/m);
  expect((await account.saveProfile({ email: otherAccount.email, code: '123456' })).json().message).toBe(
    '邮箱验证码错误或已过期',
  );
});

test('rejects a change to an address that another account got in the meantime with 409', async () => {
  const account = await createAccount();
  await account.requestCode({ email: 'raced@new.example', password: TEST_PASSWORD });
  const code = await waitForMailedCode(pool, 'raced@new.example');
  await createUser(ctx, { username: '更快的人', password: TEST_PASSWORD, email: 'raced@new.example' });
  const late = await account.saveProfile({ email: 'raced@new.example', code });
  expect([late.statusCode, late.json().message]).toEqual([409, '邮箱已存在']);
});

test('rejects the sixth request for an e-mail change within an hour with 429', async () => {
  const { requestCode } = await createAccount();
  const statuses = [];
  for (let change = 0; change < 8; change += 1)
    statuses.push((await requestCode({ email: `again${change}@new.example`, password: TEST_PASSWORD })).statusCode);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  advanceClock(61);
  expect((await requestCode({ email: 'again9@new.example', password: TEST_PASSWORD })).statusCode).toBe(200);
});

test('limits attempts to guess the password through requests for an e-mail change to ten', async () => {
  const { requestCode } = await createAccount();
  const statuses = [];
  for (let guess = 0; guess < 12; guess += 1)
    statuses.push((await requestCode({ email: 'x@new.example', password: `guess-${guess}` })).statusCode);
  expect(statuses.filter((status) => status === 400)).toHaveLength(10);
});

test('an administrator sets the e-mail address of another user without a code', async () => {
  const { id, readAccount } = await createAccount();
  const answer = await app.inject({
    method: 'PUT',
    url: '/api/v1/user/profile',
    headers: await as.root(),
    payload: { id, email: 'given@new.example' },
  });
  expect(answer.statusCode).toBe(200);
  expect((await readAccount()).email).toBe('given@new.example');
});

test('an account without an e-mail address saves its profile without one, and one with an address cannot remove it', async () => {
  const headers = await as.root();
  const saveProfile = (payload: object) => app.inject({ method: 'PUT', url: '/api/v1/user/profile', headers, payload });
  const answer = await saveProfile({ email: '', signature: '管理员在此' });
  expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
  const account = (await app.inject({ url: '/api/v1/user', headers })).json();
  expect(account).toMatchObject({ email: '', signature: '管理员在此' });
  const invalid = await saveProfile({ email: 'no address' });
  expect([invalid.statusCode, invalid.json().message]).toEqual([400, '请输入正确的电子邮箱']);
  const otherAccount = await createAccount();
  const emptyAddress = await otherAccount.saveProfile({ email: '' });
  expect([emptyAddress.statusCode, emptyAddress.json().message]).toEqual([400, '请输入电子邮箱']);
  expect((await otherAccount.readAccount()).email).toBe(otherAccount.email);
});
