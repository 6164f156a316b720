import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { writeZip } from '#platform/server/zip-writer.ts';
import { testApp } from '#testing/test-app.ts';
import { addContent, settled } from './content.fixture.ts';
import { findContent } from './content.ts';
import { derivedKeys } from './content-keys.ts';
import {
  docxBomb,
  docxWithLinkedPicture,
  lockedPdf,
  makeDocx,
  makeEpub,
  makePdf,
} from './documents.fixture.ts';

// Programs of others start here, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });
const { ctx, folder } = await testApp({ work: true });
const hasOffice = (await canIsolate()) && (await findProgram('soffice')) !== null;

const convert = async (name: string, bytes: Buffer) =>
  settled(ctx, (await addContent(ctx, name, bytes)).id, 240_000);

let requests = 0;
const listener = createServer((_, answer) => {
  requests++;
  answer.end();
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const bound = listener.address();
  address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
});
afterAll(() => listener.close());

describe('files that name something elsewhere', () => {
  const html = (target: string) =>
    `<img src="${target}/a.png"/><iframe src="${target}/b"></iframe><link rel="stylesheet" href="${target}/c.css"/><p>text</p>`;
  const odt = (target: string) =>
    writeZip([
      { name: 'mimetype', body: 'application/vnd.oasis.opendocument.text', isStored: true },
      {
        name: 'META-INF/manifest.xml',
        body: '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
      },
      {
        name: 'content.xml',
        body: `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2"><office:body><office:text><text:p>seen<draw:frame svg:width="5cm" svg:height="5cm"><draw:image xlink:href="${target}/odt.png" xlink:type="simple"/></draw:frame></text:p></office:text></office:body></office:document-content>`,
      },
    ]);

  test.runIf(hasOffice)('reach nobody, and are readable without it', async () => {
    const rtf = Buffer.from(
      `{\\rtf1 seen {\\field{\\*\\fldinst INCLUDEPICTURE "${address}/r.png" \\\\d}}}`,
    );
    const made = await Promise.all([
      convert('图片.docx', docxWithLinkedPicture(`${address}/docx.png`)),
      convert('图片.odt', odt(address)),
      convert('图片.rtf', rtf),
      convert('书.epub', makeEpub([{ title: '一', html: html(address) }])),
      convert(
        '表.csv',
        Buffer.from(`a,b\n=WEBSERVICE("${address}/w"),"=HYPERLINK(""${address}"")"\n`),
      ),
    ]);
    expect(made.map(({ state }) => state)).toEqual(Array(5).fill('ready'));
    expect(requests).toBe(0);
  });

  test('formulas of a table are shown as text', async () => {
    const { hash, format, version } = await convert(
      '公式.csv',
      Buffer.from('=1+1,@SUM(A1),+2,-3\n'),
    );
    const plain = await text(
      (await ctx.storage.get(derivedKeys({ hash, format, version }).text)).stream,
    );
    expect(plain.trim()).toBe('=1+1\t@SUM(A1)\t+2\t-3');
  });

  test.runIf(hasOffice)('take no file of ours along', async () => {
    // A picture nobody could mistake, where the site keeps its own files.
    const canary = path.join(folder, 'canary.png');
    await writeFile(
      canary,
      await sharp({ create: { width: 300, height: 300, channels: 3, background: '#ff00ff' } })
        .png()
        .toBuffer(),
    );
    const content = await convert('本地.docx', docxWithLinkedPicture(`file://${canary}`));
    expect(content.state).toBe('ready');
    const image = await buffer((await ctx.storage.get(derivedKeys(content).page(1))).stream);
    const { data } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
    let magenta = 0;
    for (let at = 0; at + 2 < data.length; at += 3)
      if ((data[at] ?? 0) > 240 && (data[at + 1] ?? 255) < 16 && (data[at + 2] ?? 0) > 240)
        magenta++;
    expect(magenta).toBe(0);
  });
});

describe('files that are more than they seem', () => {
  test('an archive that unpacks to far too much is refused before any program opens it', async () => {
    const startedAt = Date.now();
    const content = await convert('炸弹.docx', docxBomb(150));
    expect(content).toMatchObject({
      state: 'failed',
      reason: '压缩包展开后过大，无法处理',
      attempts: 1,
    });
    expect(Date.now() - startedAt).toBeLessThan(60_000);
  });

  test('more pages than can be numbered are refused', async () => {
    const claiming = makePdf().toString('latin1').replace('/Count 1', '/Count 100000');
    expect(await convert('十万页.pdf', Buffer.from(claiming, 'latin1'))).toMatchObject({
      state: 'failed',
      reason: '文档过大，无法处理',
      attempts: 1,
    });
  });

  test('a page of any size is drawn within four million pixels', async () => {
    const content = await convert('巨大.pdf', makePdf({ width: 14_400, height: 14_400 }));
    expect(content).toMatchObject({ state: 'ready', pages: 1 });
    expect(content.width * content.height).toBeLessThanOrEqual(4_000_000);
  });
});

test('a locked document is told apart and tried once', async () => {
  expect(await convert('加密.pdf', lockedPdf())).toMatchObject({
    state: 'failed',
    reason: '文档已加密',
    attempts: 1,
  });
});

test.runIf(hasOffice)('a truncated document fails with a reason', async () => {
  const whole = makeDocx('一段文字', '又一段');
  const content = await convert('残缺.docx', whole.subarray(0, whole.length - 200));
  expect(content).toMatchObject({ state: 'failed', reason: '文档已损坏，无法打开' });
});

test('nothing is left of any of them: no program, no temporary file', async () => {
  expect(await readdir(path.join(folder, 'tmp'))).toEqual([]);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  expect(commands.filter((command) => command.includes(folder))).toEqual([]);
});

test('ten thousand pages are counted, and the first is there long before the last', async () => {
  const { id } = await addContent(ctx, '万页.pdf', makePdf({ pages: 10_000 }));
  const readable = () => findContent(ctx, id).then((content) => (content?.ready_pages ?? 0) > 0);
  await expect.poll(readable, { timeout: 60_000 }).toBe(true);
  expect(await findContent(ctx, id)).toMatchObject({ state: 'readable', pages: 10_000 });
});
