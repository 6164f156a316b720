import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, convertOnce } from '../conversion.fixture.ts';
import { makeDocx, makePdf } from '../document-files.fixture.ts';
import { findRendition } from '../rendition.ts';
import { originalKey, renditionStorageKeys } from '../rendition-keys.ts';
import { conversionLimits } from './limits.ts';
import { renderHiResPages } from './render-hi-res-pages.ts';

const { ctx } = await testApp();
const attempt = { signal: new AbortController().signal, attempt: 1 };
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;

/** Renders the first page in high resolution; returns how much wider it is and which objects were read. */
async function renderFirstPage(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  await convertOnce(ctx, id);
  const rendition = await findRendition(ctx, id);
  if (!rendition) throw new Error(`no rendition ${id}`);
  const fetchedKeys: string[] = [];
  const get: typeof ctx.storage.get = (key, range) => {
    fetchedKeys.push(key);
    return ctx.storage.get(key, range);
  };
  await renderHiResPages.run({ ...ctx, storage: { ...ctx.storage, get } }, { id, page: 1 }, attempt);
  const keys = renditionStorageKeys(rendition);
  const { width } = await sharp(await buffer((await ctx.storage.get(keys.hiResPage(1))).stream)).metadata();
  return { widthRatio: width / rendition.width, fetchedKeys, keys, original: originalKey(rendition.hash) };
}

test('the job that renders high-resolution pages ends by processor time, and not by wall-clock time', async () => {
  const { hiRes } = await conversionLimits(ctx);
  expect(hiRes).toMatchObject({ cpuSeconds: 120, stallCpuSeconds: 60, idleMs: 30_000 });
  expect(renderHiResPages.timeoutSeconds).toBeGreaterThan(50 * hiRes.cpuSeconds);
});

test('the high-resolution page of a PDF is rendered from the original file', async () => {
  const { widthRatio, fetchedKeys, original } = await renderFirstPage('近看.pdf', makePdf());
  expect([widthRatio, fetchedKeys]).toEqual([2, [original]]);
});

test.runIf(hasOffice)(
  'the high-resolution page of an office document is rendered from its stored PDF only',
  async () => {
    const { widthRatio, fetchedKeys, keys } = await renderFirstPage('近看.docx', makeDocx('一段文字'));
    expect([widthRatio, fetchedKeys]).toEqual([2, [keys.pdf]]);
  },
);
