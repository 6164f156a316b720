import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { makeDocx, makeEpub } from './document-files.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

/** Formats without a fixture: the programs that read them also write them here. */

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const hasSandbox = await isSandboxAvailable();
const calibre = await findProgram('ebook-convert');
const office = await findProgram('soffice');
const folder = await mkdtemp(path.join(tmpdir(), 'douku-formats-'));
afterAll(() => rm(folder, { recursive: true }));

const run = (program: string | null, args: string[], env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(program ?? '', args, {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder, ...env },
  });

/** Converts a file; returns its format, view and text. */
async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  const rendition = await waitForRendition(ctx, id);
  const { format, state, reason, view } = rendition;
  if (state !== 'ready') return { format, state, reason, view, plainText: '' };
  const plainText = await text((await ctx.storage.get(renditionStorageKeys(rendition).text)).stream);
  return { format, state, reason, view, plainText: plainText.replace(/\s+/g, ' ') };
}

test.runIf(hasSandbox && calibre)(
  'a MOBI is read as a book with its chapters, and a truncated one is reported as incomplete',
  async () => {
    await writeFile(
      path.join(folder, 'book.epub'),
      makeEpub([
        { title: '山居', html: '<h1>山居</h1><p>空山新雨后，天气晚来秋。</p>' },
        { title: '江雪', html: '<h1>江雪</h1><p>孤舟蓑笠翁，独钓寒江雪。</p>' },
      ]),
    );
    await run(calibre, ['book.epub', 'book.mobi', '--mobi-file-type=old'], {
      QT_QPA_PLATFORM: 'offscreen',
      QTWEBENGINE_DISABLE_SANDBOX: '1',
      CALIBRE_CONFIG_DIRECTORY: path.join(folder, 'calibre'),
    });
    const bytes = await readFile(path.join(folder, 'book.mobi'));
    const book = await convert('唐诗.mobi', bytes);
    expect(book).toMatchObject({ format: 'mobi', state: 'ready', reason: '', view: 'flow' });
    expect(book.plainText).toMatch(/空山新雨后，天气晚来秋。.*孤舟蓑笠翁，独钓寒江雪。/);
    // Truncated in the list of records, in the text, and before the last record.
    for (const length of [100, Math.floor(bytes.length / 2), bytes.length - 8])
      expect(await convert('残缺.mobi', bytes.subarray(0, length))).toMatchObject({
        format: 'mobi',
        state: 'failed',
        reason: '文件不完整，请重新上传',
      });
  },
);

describe.runIf(hasSandbox && office)('an office file with a rare extension', () => {
  async function convertWithLibreOffice(from: { name: string; bytes: Buffer | string }, kind: string) {
    await writeFile(path.join(folder, from.name), from.bytes);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    await run(office, ['--headless', '--norestore', profile, '--convert-to', kind, from.name]);
    const outputName = `${path.parse(from.name).name}.${kind.split(':')[0]}`;
    return readFile(path.join(folder, outputName));
  }

  test('of a Word template (.dot) is converted into pages', async () => {
    const bytes = await convertWithLibreOffice(
      { name: 'letter.docx', bytes: makeDocx('Dear template reader') },
      'dot:MS Word 97 Vorlage',
    );
    const rendition = await convert('信函.dot', bytes);
    expect(rendition).toMatchObject({ format: 'doc', state: 'ready', reason: '', view: 'pages' });
    expect(rendition.plainText).toContain('Dear template reader');
  });

  test('of a slide show (.pps) or WPS slides (.dps) is converted into pages', async () => {
    const slides = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation><draw:page draw:name="one"><draw:frame svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>Seen on the first slide</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document>`;
    const bytes = await convertWithLibreOffice({ name: 'show.fodp', bytes: slides }, 'pps:MS PowerPoint 97 AutoPlay');
    // WPS writes the same format; the trailing bytes make it a distinct file.
    const wpsBytes = Buffer.concat([bytes, Buffer.alloc(512)]);
    for (const rendition of await Promise.all([convert('放映.pps', bytes), convert('演示.dps', wpsBytes)])) {
      expect(rendition).toMatchObject({ format: 'ppt', state: 'ready', reason: '', view: 'pages' });
      expect(rendition.plainText).toContain('Seen on the first slide');
    }
  });
});
