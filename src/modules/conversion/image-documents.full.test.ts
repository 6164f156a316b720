import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { renderHiResPages } from './convert/render-hi-res-pages.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { pngWithDeclaredSize } from './sandboxed/images/images.fixture.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const hasSandbox = await isSandboxAvailable();
/** Real files beside the checkout; they may be missing. */
const sampleFolder = path.join(projectRoot, '../shared/samples');
const hasSamples = existsSync(sampleFolder);
const readSample = (name: string) => readFile(path.join(sampleFolder, name));

async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  return waitForRendition(ctx, id);
}

const photograph = await sharp({
  create: {
    width: 1_600,
    height: 1_200,
    channels: 3,
    background: '#888',
    noise: { type: 'gaussian', mean: 128, sigma: 30 },
  },
})
  .jpeg()
  .withMetadata({ orientation: 6 })
  .toBuffer();

test('a photograph becomes a page that waits for its recognition, upright and with a high-resolution image', async () => {
  const rendition = await convert('照片.jpg', photograph);
  expect(rendition).toMatchObject({ format: 'jpeg', state: 'ready', view: 'pages', pages: 1, scanned_pages: 1 });
  const keys = renditionStorageKeys(rendition);
  const { stream } = await ctx.storage.get(keys.page(1));
  const { width = 0, height = 0 } = await sharp(Buffer.concat(await Array.fromAsync(stream))).metadata();
  expect([width, Math.round((height / width) * 100)]).toEqual([1_240, 133]);
  await renderHiResPages.run(ctx, { id: rendition.id, page: 1 }, { signal: new AbortController().signal, attempt: 1 });
  expect(await ctx.storage.stat(keys.hiResPage(1))).not.toBeNull();
});

test.each([
  ['cut.jpg', photograph.subarray(0, photograph.length / 2), '文件不完整，请重新上传'],
  ['bomb.png', pngWithDeclaredSize(60_000, 60_000), '文档过大，无法处理'],
  ['broken.gif', Buffer.from('GIF89a broken'), '文档已损坏，无法打开'],
])('the image %s fails with its reason', async (name, bytes, reason) => {
  expect(await convert(name, bytes)).toMatchObject({ state: 'failed', reason });
});

test.runIf(hasSamples)('every page of a real TIFF file is a page of the document', async () => {
  const rendition = await convert('多页.tif', await readSample('tif/testTIFF_multipage.tif'));
  expect(rendition).toMatchObject({ format: 'tiff', state: 'ready', pages: 2, scanned_pages: 2 });
});

test.runIf(hasSamples && hasSandbox && (await findProgram('heif-convert')))(
  'a real HEIC file becomes a page, and a truncated or huge one fails with its reason',
  async () => {
    const bytes = await readSample('heic/testHEIF.heic');
    expect(await convert('手机.heic', bytes)).toMatchObject({ format: 'heic', state: 'ready', pages: 1 });
    expect(await convert('手机.heic', bytes.subarray(0, 6_000))).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/文件不完整|文档已损坏/),
    });
    const huge = Buffer.from(bytes);
    huge.writeUInt32BE(60_000, huge.indexOf('ispe') + 8);
    huge.writeUInt32BE(60_000, huge.indexOf('ispe') + 12);
    expect(await convert('手机.heic', huge)).toMatchObject({ state: 'failed', reason: '文档过大，无法处理' });
  },
);
