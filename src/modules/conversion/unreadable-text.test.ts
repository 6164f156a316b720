import { json, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { pdfWithUnreadableText } from './pdf-with-unreadable-text.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { renditionMeta } from './rendition-meta.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });

test('a PDF page whose characters do not map to Unicode has no text and no words; other pages keep theirs', async () => {
  const { id } = await addRendition(ctx, '乱码.pdf', pdfWithUnreadableText());
  const rendition = await waitForRendition(ctx, id);
  expect(rendition).toMatchObject({ state: 'ready', pages: 4 });
  const keys = renditionStorageKeys(rendition);
  const pages = (await text((await ctx.storage.get(keys.text)).stream)).split('\f');
  expect(pages.slice(0, 3)).toEqual(['Readable first page', '', '']);
  expect(pages[3]).toContain('Bullet before a readable line');
  expect(rendition.summary).toMatch(/^Readable first page/);
  const { words } = renditionMeta.parse(await json((await ctx.storage.get(keys.meta)).stream));
  const compressedWords = await ctx.storage.read(keys.words);
  const lineCounts = [1, 2, 3, 4].map(
    (page) => JSON.parse(gunzipSync(compressedWords.subarray(words[page - 1], words[page])).toString()).length,
  );
  expect(lineCounts).toEqual([1, 0, 0, 1]);
});
