import { expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { deleteUnusedAttachments } from './delete-unused-attachments.ts';
import { linkAttachments, releaseAttachments } from './link-attachments.ts';
import { makePicture, multipartForm } from './picture.fixture.ts';

const { app, ctx, as, clock, pool } = await testApp();
const root = await as.root();

async function upload(kind: string, bytes?: Buffer): Promise<string> {
  const { payload, contentType } = multipartForm(bytes ?? (await makePicture()));
  const response = await app.inject({
    method: 'POST',
    url: `/api/v1/upload/${kind}`,
    headers: { ...root, 'content-type': contentType },
    payload,
  });
  const body = response.json();
  return body.data.path ?? body.data.url;
}
const advanceHours = (hours: number) => {
  clock.now = new Date(clock.now.getTime() + hours * 3_600_000);
};
const isStored = async (path: string) => (await ctx.storage.stat(path.slice(1))) !== null;
const rowsOf = async (path: string) =>
  (await pool.query('select type, type_id from attachments where path = $1 order by id', [path])).rows;

test('a picture that is unused for a day is deleted, and a newer one stays', async () => {
  const oldPath = await upload('banner');
  advanceHours(23);
  const newPath = await upload('banner');
  expect(await deleteUnusedAttachments(ctx)).toBe(0);
  advanceHours(2);
  expect(await deleteUnusedAttachments(ctx)).toBe(1);
  expect([await isStored(oldPath), await isStored(newPath)]).toEqual([false, true]);
  expect(await rowsOf(oldPath)).toEqual([]);
});

test('a picture in use stays until it is released', async () => {
  const path = await upload('category');
  expect(await linkAttachments(ctx, 6, 41, [path])).toEqual([]);
  advanceHours(48);
  await deleteUnusedAttachments(ctx);
  expect(await isStored(path)).toBe(true);
  await releaseAttachments(ctx, 6, [41]);
  await deleteUnusedAttachments(ctx);
  expect(await isStored(path)).toBe(false);
});

test('a picture with two uses stays until both are released', async () => {
  const path = await upload('article');
  await linkAttachments(ctx, 3, 51, [path]);
  await linkAttachments(ctx, 5, 52, [path]);
  expect(await rowsOf(path)).toEqual([
    { type: 3, type_id: '51' },
    { type: 5, type_id: '52' },
  ]);
  await linkAttachments(ctx, 3, 51, []);
  advanceHours(48);
  await deleteUnusedAttachments(ctx);
  expect(await isStored(path)).toBe(true);
  await linkAttachments(ctx, 5, 52, []);
  advanceHours(48);
  await deleteUnusedAttachments(ctx);
  expect(await isStored(path)).toBe(false);
});

test('linkAttachments is idempotent and returns paths without a file', async () => {
  const path = await upload('article');
  await linkAttachments(ctx, 3, 61, [path]);
  await linkAttachments(ctx, 3, 61, [path, path]);
  expect(await rowsOf(path)).toEqual([{ type: 3, type_id: '61' }]);
  const missingPath = `/uploads/article/00/${'0'.repeat(64)}.webp`;
  expect(await linkAttachments(ctx, 3, 61, [missingPath])).toEqual([missingPath]);
});

test('a picture stays as long as a setting refers to it', async () => {
  const logo = await upload('config');
  await setSetting(ctx, 'system.logo', logo);
  advanceHours(48);
  await deleteUnusedAttachments(ctx);
  expect(await isStored(logo)).toBe(true);
  await setSetting(ctx, 'system.logo', '');
  await deleteUnusedAttachments(ctx);
  expect(await isStored(logo)).toBe(false);
});

test('a file that is uploaded again during its deletion stays stored', async () => {
  const bytes = await makePicture();
  const path = await upload('banner', bytes);
  advanceHours(48);
  await Promise.all([deleteUnusedAttachments(ctx), upload('banner', bytes)]);
  expect(await rowsOf(path)).toEqual([{ type: 5, type_id: '0' }]);
  expect(await isStored(path)).toBe(true);
});

test('the row of a banned unused picture stays, so that its upload is still rejected', async () => {
  const bytes = await makePicture();
  const path = await upload('banner', bytes);
  await pool.query('update attachments set enable = false where path = $1', [path]);
  advanceHours(48);
  await deleteUnusedAttachments(ctx);
  await expect(upload('banner', bytes)).rejects.toThrow();
});
