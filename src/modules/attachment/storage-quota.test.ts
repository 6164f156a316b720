import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { countRows } from '#platform/server/db/list-query.ts';
import { testApp } from '#testing/test-app.ts';
import { attachments } from './attachment.table.ts';
import { uploadRequest } from './picture.fixture.ts';

const { app, ctx, as } = await testApp();
const editorRole = await newRole(ctx, ['upload/article', 'upload/banner'], { enable_upload: true });
const LIMIT_MESSAGE = '您上传的文件已达到 1.00 MB 的上限，请删除不需要的文档并清空回收站后再试';
type Headers = { authorization?: string };

/** Noise, which is stored without loss in about as many bytes as it has pixel values: 768 kB. */
const makeNoise = (side = 512) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
const makeText = (bytes: number) => Buffer.from(randomBytes(bytes / 2).toString('hex'));
const upload = (target: string, bytes: Buffer, headers: Headers) =>
  app.inject(uploadRequest(target, bytes, target === 'document' ? '文件.txt' : '图片.png', headers));
const statusOf = async (target: string, bytes: Buffer, headers: Headers) =>
  (await upload(target, bytes, headers)).statusCode;

afterEach(() => setSetting(ctx, 'security.max_user_storage', '0'));

test('pictures of a user count towards the storage limit of documents', async () => {
  await setSetting(ctx, 'security.max_user_storage', '1');
  const { headers } = await newMember(ctx, [editorRole]);
  const noise = await makeNoise();
  expect(await statusOf('article', noise, headers)).toBe(200);
  // The same picture counts once.
  expect(await statusOf('article', noise, headers)).toBe(200);
  const document = await upload('document', makeText(500_000), headers);
  expect([document.statusCode, document.json().message]).toEqual([413, LIMIT_MESSAGE]);
  expect(await statusOf('document', makeText(100_000), headers)).toBe(200);
});

test.each(['avatar', 'article', 'banner'])(
  'a picture for /upload/%s beyond the storage limit is rejected with 413 and the same message as a document, and is not stored',
  async (target) => {
    await setSetting(ctx, 'security.max_user_storage', '1');
    const { headers } = await newMember(ctx, [editorRole]);
    expect(await statusOf('document', makeText(1_048_000), headers)).toBe(200);
    const countBefore = await countRows(ctx.db, attachments);
    const response = await upload(target, await makeNoise(), headers);
    expect([response.statusCode, response.json().message]).toEqual([413, LIMIT_MESSAGE]);
    expect(await countRows(ctx.db, attachments)).toBe(countBefore);
  },
);

test('concurrent pictures of one user do not exceed the storage limit together', async () => {
  await setSetting(ctx, 'security.max_user_storage', '2');
  const { headers } = await newMember(ctx, [editorRole]);
  const pictures = await Promise.all(Array.from({ length: 4 }, () => makeNoise()));
  const statuses = await Promise.all(pictures.map((bytes) => statusOf('banner', bytes, headers)));
  expect(statuses.toSorted()).toEqual([200, 200, 413, 413]);
});

test('the storage limit does not apply to pictures of the root user, and 0 means no limit', async () => {
  await setSetting(ctx, 'security.max_user_storage', '1');
  const root = await as.root();
  for (let count = 0; count < 2; count++) expect(await statusOf('article', await makeNoise(), root)).toBe(200);
  await setSetting(ctx, 'security.max_user_storage', '0');
  const { headers } = await newMember(ctx, [editorRole]);
  for (let count = 0; count < 2; count++) expect(await statusOf('article', await makeNoise(), headers)).toBe(200);
});
