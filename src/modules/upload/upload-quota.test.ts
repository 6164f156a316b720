import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { createUploadRequest } from './resumable.fixture.ts';

const { app, ctx, as } = await testApp();
const uploaderRole = await newRole(ctx, [], { enable_upload: true });
const MB = 1024 * 1024;
type Headers = { authorization?: string };

const createUpload = (size: number, headers: Headers) => app.inject(createUploadRequest(size, '大.txt', headers));
const makeText = (bytes: number) => `${randomBytes(8).toString('hex')}${'字'.repeat(bytes / 3)}`;
const send = (text: string, headers: Headers) => {
  const form = new FormData();
  form.append('file', new Blob([text]), '文件.txt');
  return app.inject({ method: 'POST', url: '/api/v1/upload/document', headers, payload: form });
};

afterEach(async () => {
  await setSetting(ctx, 'security.max_open_upload_size', '0');
  await setSetting(ctx, 'security.max_user_storage', '0');
  await setSetting(ctx, 'security.max_document_size', '50');
});

test('concurrent new uploads of one user stay within the limit of open uploads', async () => {
  await setSetting(ctx, 'security.max_document_size', '5');
  await setSetting(ctx, 'security.max_open_upload_size', '10');
  const { headers } = await newMember(ctx, [uploaderRole]);
  const responses = await Promise.all(Array.from({ length: 6 }, () => createUpload(3 * MB, headers)));
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 201, 413, 413, 413]);
  const rejectedResponse = responses.find(({ statusCode }) => statusCode === 413);
  expect(rejectedResponse?.json()).toMatchObject({
    code: 'upload.quotaReached',
    message: '未完成的上传已达到 10.00 MB 的上限，请先完成或取消它们',
  });
  const otherMember = await newMember(ctx, [uploaderRole]);
  expect((await createUpload(3 * MB, otherMember.headers)).statusCode).toBe(201);
});

test('a file of the largest permitted size is accepted when the limit of open uploads is smaller', async () => {
  await setSetting(ctx, 'security.max_open_upload_size', '1');
  await setSetting(ctx, 'security.max_document_size', '2');
  const { headers } = await newMember(ctx, [uploaderRole]);
  expect((await createUpload(2 * MB, headers)).statusCode).toBe(201);
  expect((await createUpload(MB, headers)).json().message).toBe(
    '未完成的上传已达到 2.00 MB 的上限，请先完成或取消它们',
  );
});

test('the files of one user stay within the storage limit for both upload methods', async () => {
  await setSetting(ctx, 'security.max_user_storage', '2');
  const { headers } = await newMember(ctx, [uploaderRole]);
  const text = makeText(1.5 * MB);
  expect((await send(text, headers)).statusCode).toBe(200);
  // The same file counts once.
  expect((await send(text, headers)).statusCode).toBe(200);
  const second = await send(makeText(MB), headers);
  expect([second.statusCode, second.json().message]).toEqual([
    413,
    '您上传的文件已达到 2.00 MB 的上限，请删除不需要的文档并清空回收站后再试',
  ]);
  expect((await createUpload(MB, headers)).statusCode).toBe(413);
  expect((await createUpload(1_000, headers)).statusCode).toBe(201);
});

test('concurrent uploads of one user do not exceed the storage limit together', async () => {
  await setSetting(ctx, 'security.max_user_storage', '2');
  const { headers } = await newMember(ctx, [uploaderRole]);
  const responses = await Promise.all(Array.from({ length: 4 }, () => send(makeText(0.9 * MB), headers)));
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 413, 413]);
});

test('the storage limit does not apply to the root user, and 0 means no limit', async () => {
  await setSetting(ctx, 'security.max_user_storage', '1');
  expect((await send(makeText(1.5 * MB), await as.root())).statusCode).toBe(200);
  await setSetting(ctx, 'security.max_user_storage', '0');
  const { headers } = await newMember(ctx, [uploaderRole]);
  expect((await send(makeText(1.5 * MB), headers)).statusCode).toBe(200);
});
