import { expect, test } from 'vitest';
import { mailPasswordReset } from '#modules/account/reset-password.ts';
import { newMember, newRole, TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { SETTINGS_CACHE_NAME } from '#modules/settings/load-settings.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { createUploadRequest, uploadPartRequest, uploadStatusRequest } from '#modules/upload/resumable.fixture.ts';
import { startSecondNode } from '#testing/second-node.ts';
import { testApp } from '#testing/test-app.ts';

const firstNode = await testApp();
await setSetting(firstNode.ctx, 'security.enable_captcha_login', 'false');
await setSetting(firstNode.ctx, 'security.enable_captcha_find_password', 'false');
const { app: secondServer, ctx: secondContext } = await startSecondNode(firstNode);

type Headers = { authorization: string };
const statusOnSecondNode = async (headers?: Headers) =>
  (await secondServer.inject({ url: '/api/v1/user/permission', ...(headers && { headers }) })).statusCode;
/** Changes a setting on the first node and returns when the second node has received the notification. */
async function changeSetting(key: string, value: string): Promise<void> {
  const notification = Promise.withResolvers<void>();
  const stopListening = secondContext.liveCache.onInvalidation(SETTINGS_CACHE_NAME, notification.resolve);
  await setSetting(firstNode.ctx, key, value);
  await notification.promise;
  stopListening();
}
const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  firstNode.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });

test.each<[string, (member: { id: number; username: string; headers: Headers }) => Promise<unknown>]>([
  ['a logout', ({ headers }) => send('DELETE', '/user/logout', headers)],
  ['a logout of all devices', ({ headers }) => send('DELETE', '/user/session/all', headers)],
  [
    'a new password set by an administrator',
    async ({ id }) =>
      send('PUT', '/user/password', (await firstNode.as.root()) as Headers, {
        id,
        new_password: 'another-password',
      }),
  ],
  [
    'a reset of the forgotten password',
    async ({ id }) => {
      const email = `member${id}@mail.example`;
      await firstNode.pool.query('update users set email = $2 where id = $1', [id, email]);
      const attempt = { signal: new AbortController().signal, attempt: 1 };
      await mailPasswordReset.run(firstNode.ctx, { email }, attempt);
      const { rows } = await firstNode.pool.query('select text from mails where recipient = $1', [email]);
      const token = /token=([\w-]+)/.exec(rows[0].text)?.[1];
      return firstNode.app.inject({
        method: 'PUT',
        url: '/api/v1/user/findpassword/steptwo',
        payload: { email, token, password: 'another-password' },
      });
    },
  ],
  [
    'a ban',
    async ({ id }) =>
      send('PUT', '/user/ban', (await firstNode.as.root()) as Headers, {
        id: [id],
        ban: true,
        reason: '试',
      }),
  ],
  [
    'the deletion of the account',
    async ({ id }) =>
      firstNode.app.inject({
        method: 'DELETE',
        url: `/api/v1/user?id=${id}`,
        headers: await firstNode.as.root(),
        payload: { password: 'correct-horse-battery' },
      }),
  ],
])('%s on one node ends the session on the other before its next request', async (_, end) => {
  const member = await newMember(firstNode.ctx);
  expect(await statusOnSecondNode(member.headers)).toBe(200);
  const response = (await end(member)) as { statusCode: number };
  expect(response.statusCode).toBe(200);
  expect(await statusOnSecondNode(member.headers)).toBe(401);
});

test('a password change by the user keeps the current session and ends the others on all nodes', async () => {
  const member = await newMember(firstNode.ctx);
  const login = await secondServer.inject({
    method: 'POST',
    url: '/api/v1/user/login',
    payload: { username: member.username, password: TEST_PASSWORD },
  });
  const otherSession = { authorization: `Bearer ${login.json().token}` };
  await send('PUT', '/user/password', member.headers, {
    old_password: TEST_PASSWORD,
    new_password: 'another-password',
  });
  expect(await statusOnSecondNode(otherSession)).toBe(401);
  expect(await statusOnSecondNode(member.headers)).toBe(200);
});

test('a role that is removed on one node gives no access on the other', async () => {
  const role = await newRole(firstNode.ctx, ['MailAPI/ListMail']);
  const { id, headers } = await newMember(firstNode.ctx, [role]);
  const list = async () => (await secondServer.inject({ url: '/api/v1/mail/list', headers })).statusCode;
  expect(await list()).toBe(200);
  await send('PUT', '/user', (await firstNode.as.root()) as Headers, {
    id,
    group_id: [await newRole(firstNode.ctx)],
  });
  expect(await list()).toBe(403);
});

test('a site that is closed or reopened on one node is so on the other as soon as the change is notified', async () => {
  const { headers } = await newMember(firstNode.ctx);
  expect(await statusOnSecondNode(headers)).toBe(200);
  await changeSetting('security.is_close', 'true');
  expect(await statusOnSecondNode(headers)).toBe(503);
  await changeSetting('security.is_close', 'false');
  expect(await statusOnSecondNode(headers)).toBe(200);
  await changeSetting('security.login_required', 'true');
  expect((await secondServer.inject('/api/v1/category/list')).statusCode).toBe(401);
  await setSetting(firstNode.ctx, 'security.login_required', 'false');
});

test('a resumable upload that began on one node is finished on another', async () => {
  const { headers } = await newMember(firstNode.ctx, [await newRole(firstNode.ctx, [], { enable_upload: true })]);
  const bytes = Buffer.from('分两次上传的文字\n'.repeat(100));
  const createResponse = await firstNode.app.inject(createUploadRequest(bytes.length, '文件.txt', headers));
  const url = String(createResponse.headers.location);
  const firstPart = await firstNode.app.inject(uploadPartRequest(url, 0, bytes.subarray(0, 500), headers));
  expect(firstPart.statusCode).toBe(204);
  expect((await secondServer.inject(uploadStatusRequest(url, headers))).headers['upload-offset']).toBe('500');
  const lastPart = await secondServer.inject(uploadPartRequest(url, 500, bytes.subarray(500), headers));
  const attachmentId = lastPart.headers['upload-attachment-id'];
  expect([lastPart.statusCode, attachmentId]).toEqual([204, expect.stringMatching(/^\d+$/)]);
  const status = await firstNode.app.inject(uploadStatusRequest(url, headers));
  expect(status.headers['upload-attachment-id']).toBe(attachmentId);
});
