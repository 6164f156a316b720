import { json } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { makeStyledDocx } from './document-files.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { renditionMeta } from './rendition-meta.ts';
import type { PageWords } from './sandboxed/events.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;

/** Line widths of the first page of a document. */
async function lineWidths(bytes: Buffer): Promise<number[]> {
  const rendition = await waitForRendition(ctx, (await addRendition(ctx, '标点.docx', bytes)).id);
  const keys = renditionStorageKeys(rendition);
  const meta = renditionMeta.parse(await json((await ctx.storage.get(keys.meta)).stream));
  const compressedWords = await ctx.storage.read(keys.words);
  const lines: PageWords = JSON.parse(gunzipSync(compressedWords.subarray(0, meta.words[1])).toString());
  return lines.map((line) => line.reduce((sum, [, , , width]) => sum + width, 0));
}

test.runIf(hasOffice)(
  'LibreOffice draws curly quotes as wide as letters in Latin fonts, and full-width in Chinese ones',
  async () => {
    const latin = { ascii: 'Cambria', eastAsia: '宋体', language: 'zh-CN' };
    const chinese = { ...latin, ascii: '宋体', hint: 'eastAsia' };
    const [quotes = 0, letters = 0, wideQuotes = 0, characters = 0] = await lineWidths(
      makeStyledDocx([
        { text: '“”‘’“”‘’“”', ...latin },
        { text: 'nnnnnnnnnn', ...latin },
        { text: '“”“”“”“”“”', ...chinese },
        { text: '中中中中中中中中中中', ...chinese },
      ]),
    );
    expect(quotes).toBeLessThan(letters);
    expect(wideQuotes).toBeGreaterThan(characters * 0.9);
  },
);
