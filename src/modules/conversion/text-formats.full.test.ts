import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { makeEpub } from './document-files.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const samples = path.join(projectRoot, '../shared/samples');
const calibre = (await isSandboxAvailable()) ? await findProgram('ebook-convert') : null;

/** Converts a file; returns its format, view and text. */
async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  const rendition = await waitForRendition(ctx, id);
  const { format, state, reason, view } = rendition;
  if (state !== 'ready') return { format, state, reason, view, plainText: '' };
  const plainText = await text((await ctx.storage.get(renditionStorageKeys(rendition).text)).stream);
  return { format, state, reason, view, plainText: plainText.replace(/\s+/g, ' ') };
}

/** Skipped where the folder of samples beside the checkout is missing. */
test.runIf(existsSync(samples)).each([
  ['md/testMARKDOWN.md', 'markdown', 'Some bold and italic'],
  ['mhtml/testMHTMLFirefox.mhtml', 'html', ''],
  ['fb2/test.fb2', 'fb2', 'ЧАСТЬ ПЕРВАЯ'],
  ['eml/testThunderbirdEml.eml', 'eml', '主题 JUnit test message'],
  ['msg/test-outlook.msg', 'msg', '主题'],
])('the sample %s is converted into flowing text', async (name, format, words) => {
  const rendition = await convert(path.basename(name), await readFile(path.join(samples, name)));
  expect(rendition).toMatchObject({ format, view: 'flow', state: 'ready', reason: '' });
  expect(rendition.plainText).toContain(words);
});

/** Offset of the encryption type within the first record of a Kindle book. */
const ENCRYPTION_OFFSET = 12;

test.runIf(calibre)(
  'a Kindle book (.azw3) is read as a book; a protected one is rejected as such and a truncated one as incomplete',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'douku-kindle-'));
    afterAll(() => rm(folder, { recursive: true }));
    await writeFile(
      path.join(folder, 'book.epub'),
      makeEpub([
        { title: '山居', html: '<h1>山居</h1><p>空山新雨后，天气晚来秋。</p>' },
        { title: '江雪', html: '<h1>江雪</h1><p>孤舟蓑笠翁，独钓寒江雪。</p>' },
      ]),
    );
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      QT_QPA_PLATFORM: 'offscreen',
      QTWEBENGINE_DISABLE_SANDBOX: '1',
      CALIBRE_CONFIG_DIRECTORY: path.join(folder, 'calibre'),
    };
    await promisify(execFile)(calibre ?? '', ['book.epub', 'book.azw3'], { cwd: folder, env });
    const bytes = await readFile(path.join(folder, 'book.azw3'));
    const book = await convert('唐诗.azw3', bytes);
    expect(book).toMatchObject({ format: 'mobi', state: 'ready', reason: '', view: 'flow' });
    expect(book.plainText).toMatch(/空山新雨后，天气晚来秋。.*孤舟蓑笠翁，独钓寒江雪。/);
    const protectedBytes = Buffer.from(bytes);
    protectedBytes.writeUInt16BE(2, protectedBytes.readUInt32BE(78) + ENCRYPTION_OFFSET);
    expect(await convert('保护.azw', protectedBytes)).toMatchObject({
      state: 'failed',
      reason: '电子书受版权保护（DRM），无法打开',
    });
    expect(await convert('残缺.prc', bytes.subarray(0, bytes.length / 2))).toMatchObject({
      state: 'failed',
      reason: '文件不完整，请重新上传',
    });
  },
);
