import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { createUpload } from './resumable.fixture.ts';

const { app, ctx, as } = await testApp();
const uploaders = await newRole(ctx, [], { enable_upload: true });
const MB = 1024 * 1024;
type Headers = { authorization?: string };

const announce = (size: number, headers: Headers) => app.inject(createUpload(size, '大.txt', headers));
const textOf = (bytes: number) => `${randomBytes(8).toString('hex')}${'字'.repeat(bytes / 3)}`;
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

test('uploads that one user announces at the same time stay within the limit of open uploads', async () => {
  await setSetting(ctx, 'security.max_document_size', '5');
  await setSetting(ctx, 'security.max_open_upload_size', '10');
  const { headers } = await newMember(ctx, [uploaders]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => announce(3 * MB, headers)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 201, 413, 413, 413]);
  const refused = answers.find(({ statusCode }) => statusCode === 413);
  expect(refused?.json()).toMatchObject({
    code: 'upload.quotaReached',
    message: '未完成的上传已达到 10.00 MB 的上限，请先完成或取消它们',
  });
  const other = await newMember(ctx, [uploaders]);
  expect((await announce(3 * MB, other.headers)).statusCode).toBe(201);
});

test('a file of the largest permitted size is accepted when the limit of open uploads is smaller', async () => {
  await setSetting(ctx, 'security.max_open_upload_size', '1');
  await setSetting(ctx, 'security.max_document_size', '2');
  const { headers } = await newMember(ctx, [uploaders]);
  expect((await announce(2 * MB, headers)).statusCode).toBe(201);
  expect((await announce(MB, headers)).json().message).toBe('未完成的上传已达到 2.00 MB 的上限，请先完成或取消它们');
});

test('files of one user stay within the limit in all, whichever way they are sent', async () => {
  await setSetting(ctx, 'security.max_user_storage', '2');
  const { headers } = await newMember(ctx, [uploaders]);
  const text = textOf(1.5 * MB);
  expect((await send(text, headers)).statusCode).toBe(200);
  // The same file takes no room a second time.
  expect((await send(text, headers)).statusCode).toBe(200);
  const second = await send(textOf(MB), headers);
  expect([second.statusCode, second.json().message]).toEqual([
    413,
    '您上传的文件已达到 2.00 MB 的上限，请删除不需要的文档并清空回收站后再试',
  ]);
  expect((await announce(MB, headers)).statusCode).toBe(413);
  expect((await announce(1_000, headers)).statusCode).toBe(201);
});

test('concurrent files of one user do not exceed the limit together', async () => {
  await setSetting(ctx, 'security.max_user_storage', '2');
  const { headers } = await newMember(ctx, [uploaders]);
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(textOf(0.9 * MB), headers)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 413, 413]);
});

test('the first administrator and a limit of 0 are not limited in all', async () => {
  await setSetting(ctx, 'security.max_user_storage', '1');
  expect((await send(textOf(1.5 * MB), await as.root())).statusCode).toBe(200);
  await setSetting(ctx, 'security.max_user_storage', '0');
  const { headers } = await newMember(ctx, [uploaders]);
  expect((await send(textOf(1.5 * MB), headers)).statusCode).toBe(200);
});
