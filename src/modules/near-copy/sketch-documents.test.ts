import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { addDocumentWithText, makeText } from './near-copy.fixture.ts';
import { nearCopyFailures, nearCopySketches } from './near-copy.table.ts';
import { sketchDocuments, sketchRemainingFiles } from './sketch-documents.ts';

const HOUR_MS = 3_600_000;
const { ctx, clock } = await testApp();
const uploader = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
const attempt = { signal: new AbortController().signal, attempt: 1 };
const runAtNight = () => sketchRemainingFiles.run(ctx, {}, attempt);
const add = (seed: number) => addDocumentWithText(ctx, uploader, makeText(600, seed), { category_id });
const sketchedIds = async () => (await ctx.db.select().from(nearCopySketches)).map((row) => row.rendition_id);
const readFailures = () => ctx.db.select().from(nearCopyFailures);

type File = Awaited<ReturnType<typeof add>>;
let damagedFile: File;
let otherFile: File;
beforeAll(async () => {
  damagedFile = await addDocumentWithText(ctx, uploader, '', { category_id }, 'pages');
  await ctx.storage.put(damagedFile.keys.smallPage(1), Buffer.from('no picture'));
  otherFile = await add(2);
});

test('a file that cannot be read is recorded, and the later files are sketched in the same run', async () => {
  await runAtNight();
  expect(await sketchedIds()).toEqual([otherFile.renditionId]);
  expect(await readFailures()).toMatchObject([
    { rendition_id: damagedFile.renditionId, attempts: 1, reason: expect.stringContaining('unsupported image format') },
  ]);
});

test('a file that cannot be read does not keep the other documents of its job from being sketched', async () => {
  const newFile = await add(3);
  await sketchDocuments.run(ctx, { id: [damagedFile.id, newFile.id] }, attempt);
  expect(await sketchedIds()).toEqual([otherFile.renditionId, newFile.renditionId]);
  expect(await readFailures()).toMatchObject([{ attempts: 2 }]);
});

test('a file that failed twice is tried again only after twenty hours, after the files without a failure', async () => {
  clock.now = new Date(clock.now.getTime() + 10 * HOUR_MS);
  await runAtNight();
  expect(await readFailures()).toMatchObject([{ attempts: 2 }]);
  clock.now = new Date(clock.now.getTime() + 11 * HOUR_MS);
  const newFile = await add(4);
  await runAtNight();
  expect(await sketchedIds()).toContain(newFile.renditionId);
  expect(await readFailures()).toMatchObject([{ attempts: 3 }]);
});

test('the failure is forgotten when the file can be read again', async () => {
  const background = { r: 255, g: 255, b: 255 };
  const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
    .webp()
    .toBuffer();
  await ctx.storage.put(damagedFile.keys.smallPage(1), picture);
  clock.now = new Date(clock.now.getTime() + 200 * HOUR_MS);
  await runAtNight();
  expect(await sketchedIds()).toContain(damagedFile.renditionId);
  expect(await readFailures()).toEqual([]);
});
