import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, settled } from './conversion.fixture.ts';
import { makeDocx, makeEpub } from './document-files.fixture.ts';
import { derivedKeys } from './rendition-keys.ts';

/** Formats nobody writes by hand: the programs that read them for us make them here, too. */

const { ctx } = await testApp({ work: true, conversions: 'real' });
const mayIsolate = await canIsolate();
const calibre = await findProgram('ebook-convert');
const office = await findProgram('soffice');
const folder = await mkdtemp(path.join(tmpdir(), 'douku-made-'));
afterAll(() => rm(folder, { recursive: true }));

const run = (program: string | null, args: string[], env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(program ?? '', args, {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder, ...env },
  });

/** What a file is taken for, how it is read and its text. */
async function read(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  const content = await settled(ctx, id);
  const { format, state, reason, view } = content;
  if (state !== 'ready') return { format, state, reason, view, plain: '' };
  const plain = await text((await ctx.storage.get(derivedKeys(content).text)).stream);
  return { format, state, reason, view, plain: plain.replace(/\s+/g, ' ') };
}

test.runIf(mayIsolate && calibre)(
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
    const book = await read('唐诗.mobi', bytes);
    expect(book).toMatchObject({ format: 'mobi', state: 'ready', reason: '', view: 'flow' });
    expect(book.plain).toMatch(/空山新雨后，天气晚来秋。.*孤舟蓑笠翁，独钓寒江雪。/);
    // Cut off in the list of records, in the text, and before the last record.
    for (const length of [100, Math.floor(bytes.length / 2), bytes.length - 8])
      expect(await read('残缺.mobi', bytes.subarray(0, length))).toMatchObject({
        format: 'mobi',
        state: 'failed',
        reason: '文件不完整，请重新上传',
      });
  },
);

describe.runIf(mayIsolate && office)('an office file of a rarer name', () => {
  /** Has the office write a file of this kind from another. */
  async function make(from: { name: string; bytes: Buffer | string }, kind: string) {
    await writeFile(path.join(folder, from.name), from.bytes);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    await run(office, ['--headless', '--norestore', profile, '--convert-to', kind, from.name]);
    const made = `${path.parse(from.name).name}.${kind.split(':')[0]}`;
    return readFile(path.join(folder, made));
  }

  test('like a template of Word (.dot) is read by its pages', async () => {
    const bytes = await make(
      { name: 'letter.docx', bytes: makeDocx('Dear template reader') },
      'dot:MS Word 97 Vorlage',
    );
    const made = await read('信函.dot', bytes);
    expect(made).toMatchObject({ format: 'doc', state: 'ready', reason: '', view: 'pages' });
    expect(made.plain).toContain('Dear template reader');
  });

  test('like a slide show (.pps) or slides of WPS (.dps) is read by its pages', async () => {
    const slides = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation><draw:page draw:name="one"><draw:frame svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>Seen on the first slide</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document>`;
    const bytes = await make({ name: 'show.fodp', bytes: slides }, 'pps:MS PowerPoint 97 AutoPlay');
    // WPS writes the same slides; what is behind them makes it a file of its own.
    const ofWps = Buffer.concat([bytes, Buffer.alloc(512)]);
    for (const made of await Promise.all([read('放映.pps', bytes), read('演示.dps', ofWps)])) {
      expect(made).toMatchObject({ format: 'ppt', state: 'ready', reason: '', view: 'pages' });
      expect(made.plain).toContain('Seen on the first slide');
    }
  });
});
