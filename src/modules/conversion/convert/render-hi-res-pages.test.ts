import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, convertOnce } from '../conversion.fixture.ts';
import { makeDocx, makePdf } from '../document-files.fixture.ts';
import { findRendition } from '../rendition.ts';
import { derivedKeys, originalKey } from '../rendition-keys.ts';
import { renderHiResPages } from './render-hi-res-pages.ts';

const { ctx } = await testApp();
const attempt = { signal: new AbortController().signal, attempt: 1 };
const hasOffice = (await canIsolate()) && (await findProgram('soffice')) !== null;

/** Draws the first page larger; tells how much wider it is, and what was fetched for it. */
async function sharpen(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  await convertOnce(ctx, id);
  const content = await findRendition(ctx, id);
  if (!content) throw new Error(`no content ${id}`);
  const fetched: string[] = [];
  const get: typeof ctx.storage.get = (key, range) => {
    fetched.push(key);
    return ctx.storage.get(key, range);
  };
  await renderHiResPages.run({ ...ctx, storage: { ...ctx.storage, get } }, { id, page: 1 }, attempt);
  const keys = derivedKeys(content);
  const { width } = await sharp(await buffer((await ctx.storage.get(keys.sharpPage(1))).stream)).metadata();
  return { wider: width / content.width, fetched, keys, original: originalKey(content.hash) };
}

test('a page of a PDF is drawn larger from the file itself', async () => {
  const { wider, fetched, original } = await sharpen('近看.pdf', makePdf());
  expect([wider, fetched]).toEqual([2, [original]]);
});

test.runIf(hasOffice)('a page of an office document, from the PDF made of it alone', async () => {
  const { wider, fetched, keys } = await sharpen('近看.docx', makeDocx('一段文字'));
  expect([wider, fetched]).toEqual([2, [keys.pdf]]);
});
