import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { djvuDocument } from './djvu.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

const canConvert = (await isSandboxAvailable()) && (await findProgram('ddjvu')) !== null;
const { app, ctx } = await testApp({ runJobs: true, conversions: 'real' });

async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  return waitForRendition(ctx, id);
}

const pages = [
  {
    picturedText: '石渠阁藏书目录',
    text: '(page 0 0 850 1100 (line 80 890 390 940 (word 80 890 212 940 "石渠阁") (word 212 890 390 940 "藏书目录")))',
  },
  { picturedText: 'A photograph', text: '', isPhotograph: true },
];
const outline = '(bookmarks ("目录" "#1") ("照片" "#p2.djvu"))';
const bytes = canConvert ? await djvuDocument(pages, outline) : Buffer.alloc(0);

test.runIf(canConvert)(
  'a DjVu document keeps its text and contents; pages without text are recognized later',
  async () => {
    const rendition = await convert('书目.djvu', bytes);
    expect(rendition).toMatchObject({ format: 'djvu', state: 'ready', view: 'pages', pages: 2, scanned_pages: 1 });
    const keys = renditionStorageKeys(rendition);
    const meta = JSON.parse(await text((await ctx.storage.get(keys.meta)).stream));
    expect(meta.outline).toEqual([
      { depth: 0, title: '目录', page: 1 },
      { depth: 0, title: '照片', page: 2 },
    ]);
  },
);

test.runIf(canConvert)('the text of a DjVu page is found in the document and marked at its place', async () => {
  const owner = await newPublisher(ctx);
  const id = await owner.publish(bytes, '.djvu', { title: '旧书一册' });
  const fetchJson = async (url: string) => (await app.inject({ url: `/api/v1${url}` })).json();
  expect(await fetchJson(`/document/find?id=${id}&wd=${encodeURIComponent('石渠阁')}`)).toMatchObject({
    page: [{ page: 1 }],
  });
  const [[word]] = (await fetchJson(`/document/words?id=${id}`)).page[0].lines;
  // 80 of 850 pixels from the left and 160 from the top; both words are joined.
  expect(word[0]).toBe('石渠阁藏书目录');
  expect([Math.round(word[1] / 100), Math.round(word[2] / 100), Math.round(word[3] / 100)]).toEqual([9, 19, 36]);
});

test.runIf(canConvert)('a damaged page of a DjVu document is blank with a note, and the others are shown', async () => {
  const damagedBytes = Buffer.from(bytes);
  // The picture of the second page is the last chunk.
  damagedBytes.fill(0, damagedBytes.lastIndexOf('BG44') + 8);
  const rendition = await convert('破页.djvu', damagedBytes);
  expect(rendition).toMatchObject({ state: 'ready', pages: 2 });
  const { stream } = await ctx.storage.get(renditionStorageKeys(rendition).text);
  const [first, second] = (await text(stream)).split('\f');
  expect(first).toContain('石渠阁');
  expect(second).toContain('本页的图片（文件已损坏）');
});

test.runIf(canConvert)('a DjVu document of which no page can be read fails with its reason', async () => {
  const onePage = await djvuDocument(pages.slice(1), '');
  expect(await convert('半.djvu', onePage.subarray(0, onePage.length / 2))).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/已损坏|不完整/),
  });
  const corrupt = Buffer.from(bytes).fill(0x41, 16);
  expect(await convert('坏.djvu', corrupt)).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/已损坏|不完整/),
  });
});

test.runIf(canConvert)('a DjVu page that declares too many pixels is rejected before it is drawn', async () => {
  const huge = Buffer.from(bytes);
  // The chunk INFO begins with width and height.
  for (let at = huge.indexOf('INFO'); at >= 0; at = huge.indexOf('INFO', at + 4)) {
    huge.writeUInt16BE(30_000, at + 8);
    huge.writeUInt16BE(30_000, at + 10);
  }
  expect(await convert('大.djvu', huge)).toMatchObject({ state: 'failed', reason: '文档过大，无法处理' });
});
