import { expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { linkAttachments, releaseAttachments } from './attachment.ts';
import { removeUnusedFiles } from './delete-unused-attachments.ts';
import { fileForm, makePicture } from './picture.fixture.ts';

const { app, ctx, as, clock, pool } = await testApp();
const root = await as.root();

async function upload(kind: string, bytes?: Buffer): Promise<string> {
  const { payload, contentType } = fileForm(bytes ?? (await makePicture()));
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/upload/${kind}`,
    headers: { ...root, 'content-type': contentType },
    payload,
  });
  const body = answer.json();
  return body.data.path ?? body.data.url;
}
const pass = (hours: number) => {
  clock.now = new Date(clock.now.getTime() + hours * 3_600_000);
};
const isStored = async (path: string) => (await ctx.storage.stat(path.slice(1))) !== null;
const rowsOf = async (path: string) =>
  (await pool.query('select type, type_id from attachments where path = $1 order by id', [path])).rows;

test('a picture nobody used within a day is removed, a newer one is not', async () => {
  const old = await upload('banner');
  pass(23);
  const young = await upload('banner');
  expect(await removeUnusedFiles(ctx)).toBe(0);
  pass(2);
  expect(await removeUnusedFiles(ctx)).toBe(1);
  expect([await isStored(old), await isStored(young)]).toEqual([false, true]);
  expect(await rowsOf(old)).toEqual([]);
});

test('a picture in use stays until it is released', async () => {
  const path = await upload('category');
  expect(await linkAttachments(ctx, 6, 41, [path])).toEqual([]);
  pass(48);
  await removeUnusedFiles(ctx);
  expect(await isStored(path)).toBe(true);
  await releaseAttachments(ctx, 6, [41]);
  await removeUnusedFiles(ctx);
  expect(await isStored(path)).toBe(false);
});

test('one picture used twice stays until both uses end', async () => {
  const path = await upload('article');
  await linkAttachments(ctx, 3, 51, [path]);
  await linkAttachments(ctx, 5, 52, [path]);
  expect(await rowsOf(path)).toEqual([
    { type: 3, type_id: '51' },
    { type: 5, type_id: '52' },
  ]);
  await linkAttachments(ctx, 3, 51, []);
  pass(48);
  await removeUnusedFiles(ctx);
  expect(await isStored(path)).toBe(true);
  await linkAttachments(ctx, 5, 52, []);
  pass(48);
  await removeUnusedFiles(ctx);
  expect(await isStored(path)).toBe(false);
});

test('linking again changes nothing, and a path without a file is reported', async () => {
  const path = await upload('article');
  await linkAttachments(ctx, 3, 61, [path]);
  await linkAttachments(ctx, 3, 61, [path, path]);
  expect(await rowsOf(path)).toEqual([{ type: 3, type_id: '61' }]);
  const gone = `/uploads/article/00/${'0'.repeat(64)}.webp`;
  expect(await linkAttachments(ctx, 3, 61, [gone])).toEqual([gone]);
});

test('pictures of the settings stay as long as a setting names them', async () => {
  const logo = await upload('config');
  await setSetting(ctx, 'system.logo', logo);
  pass(48);
  await removeUnusedFiles(ctx);
  expect(await isStored(logo)).toBe(true);
  await setSetting(ctx, 'system.logo', '');
  await removeUnusedFiles(ctx);
  expect(await isStored(logo)).toBe(false);
});

test('a file uploaded again while the old one is removed is not lost', async () => {
  const bytes = await makePicture();
  const path = await upload('banner', bytes);
  pass(48);
  await Promise.all([removeUnusedFiles(ctx), upload('banner', bytes)]);
  expect(await rowsOf(path)).toEqual([{ type: 5, type_id: '0' }]);
  expect(await isStored(path)).toBe(true);
});

test('a banned picture stays known, so that it is refused for ever', async () => {
  const bytes = await makePicture();
  const path = await upload('banner', bytes);
  await pool.query('update attachments set enable = false where path = $1', [path]);
  pass(48);
  await removeUnusedFiles(ctx);
  await expect(upload('banner', bytes)).rejects.toThrow();
});
