import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import {
  docxBomb,
  docxWithLinkedPicture,
  encryptedPdf,
  makeDocx,
  makeEpub,
  makePdf,
} from './document-files.fixture.ts';
import { findRendition } from './rendition.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

const { ctx, folder } = await testApp({ runJobs: true, conversions: 'real' });
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;

const convert = async (name: string, bytes: Buffer) => waitForRendition(ctx, (await addRendition(ctx, name, bytes)).id);

let requests = 0;
const listener = createServer((_, response) => {
  requests++;
  response.end();
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const listenerAddress = listener.address();
  address = `http://127.0.0.1:${typeof listenerAddress === 'object' ? listenerAddress?.port : 0}`;
});
afterAll(() => listener.close());

describe('conversion of files with external references', () => {
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

  test.runIf(hasOffice)('sends no network request and succeeds', async () => {
    const rtf = Buffer.from(`{\\rtf1 seen {\\field{\\*\\fldinst INCLUDEPICTURE "${address}/r.png" \\\\d}}}`);
    const conversions = await Promise.all([
      convert('图片.docx', docxWithLinkedPicture(`${address}/docx.png`)),
      convert('图片.odt', odt(address)),
      convert('图片.rtf', rtf),
      convert('书.epub', makeEpub([{ title: '一', html: html(address) }])),
      convert('表.csv', Buffer.from(`a,b\n=WEBSERVICE("${address}/w"),"=HYPERLINK(""${address}"")"\n`)),
    ]);
    expect(conversions.map(({ state }) => state)).toEqual(Array(5).fill('ready'));
    expect(requests).toBe(0);
  });

  test('shows formulas of a CSV file as text', async () => {
    const { hash, format, version } = await convert('公式.csv', Buffer.from('=1+1,@SUM(A1),+2,-3\n'));
    const plainText = await text((await ctx.storage.get(renditionStorageKeys({ hash, format, version }).text)).stream);
    expect(plainText.trim()).toBe('=1+1\t@SUM(A1)\t+2\t-3');
  });

  test.runIf(hasOffice)('does not include a file of the site in the pages', async () => {
    // An image with an unmistakable colour in the data folder of the site.
    const canary = path.join(folder, 'canary.png');
    await writeFile(
      canary,
      await sharp({ create: { width: 300, height: 300, channels: 3, background: '#ff00ff' } })
        .png()
        .toBuffer(),
    );
    const rendition = await convert('本地.docx', docxWithLinkedPicture(`file://${canary}`));
    expect(rendition.state).toBe('ready');
    const image = await buffer((await ctx.storage.get(renditionStorageKeys(rendition).page(1))).stream);
    const { data } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
    let magenta = 0;
    for (let at = 0; at + 2 < data.length; at += 3)
      if ((data[at] ?? 0) > 240 && (data[at + 1] ?? 255) < 16 && (data[at + 2] ?? 0) > 240) magenta++;
    expect(magenta).toBe(0);
  });
});

describe('a malicious web page with the name of an office document', () => {
  const canaryLink = (name: string) => `file://${path.join(folder, name)}`;
  const attack = () => {
    const targets = [address, canaryLink('canary.txt'), 'file:///etc/passwd'];
    const references = targets.map(
      (target) =>
        `<img src="${target}/a.png"><iframe src="${target}"></iframe><object data="${target}"></object><embed src="${target}"><link rel="stylesheet" href="${target}/c.css"><script src="${target}/d.js"></script><a href="${target}">link</a><table background="${target}/e.png"><tr><td style="background:url(${target}/f.png)">cell</td></tr></table><style>@import url(${target}/g.css);</style><v:imagedata src="${target}/h.png"/>`,
    );
    return `<html><head><meta http-equiv="refresh" content="0;url=${address}"><base href="${address}/"></head><body onload="alert(1)"><script>alert(2)</script><p onclick="alert(3)">words</p><a href="javascript:alert(4)">press</a><svg onload="alert(5)"><script>alert(6)</script></svg>${references.join('')}</body></html>`;
  };
  const archive = () =>
    `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Location: ${address}/page.htm\r\n\r\n${attack()}\r\n--b--\r\n`;

  const outputOf = async (rendition: Awaited<ReturnType<typeof convert>>) => {
    const keys = renditionStorageKeys(rendition);
    const read = async (key: string) => text((await ctx.storage.get(key)).stream);
    const [section, plainText] = [await read(keys.section(1)), await read(keys.text)];
    return { section, plainText };
  };

  test.each([
    ['网页.doc', 'flow'],
    ['网页.xls', 'sheet'],
    ['归档.doc', 'flow'],
    ['归档.xls', 'sheet'],
  ])('%s reaches no address and shows no script', async (name, view) => {
    await writeFile(path.join(folder, 'canary.txt'), 'CANARY');
    requests = 0;
    const rendition = await convert(name, Buffer.from(name.startsWith('网页') ? attack() : archive()));
    expect(rendition).toMatchObject({ state: 'ready', view });
    const { section, plainText } = await outputOf(rendition);
    expect(plainText).toContain('words');
    expect(section + plainText).not.toMatch(
      /alert|script|iframe|onload|onclick|<(?:object|embed|meta|link|base|style)|file:|CANARY|root:/i,
    );
    expect(section).not.toContain('<img');
    expect(requests).toBe(0);
  });

  test.runIf(hasOffice)('reaches no address as XML of Word 2003 or flat OpenDocument', async () => {
    requests = 0;
    const word = `<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:v="urn:schemas-microsoft-com:vml"><w:body><w:p><w:r><w:t>words</w:t></w:r><w:r><w:pict><v:shape style="width:99pt;height:99pt"><v:imagedata src="${address}/w.png"/></v:shape></w:pict></w:r></w:p></w:body></w:wordDocument>`;
    const flat = `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>words<draw:frame svg:width="5cm" svg:height="5cm"><draw:image xlink:href="${address}/f.png" xlink:type="simple"/></draw:frame></text:p><text:section text:name="s"><text:section-source xlink:href="file:///etc/passwd"/><text:p/></text:section></office:text></office:body></office:document>`;
    const withEntity = word.replace(
      '<w:wordDocument',
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:wordDocument',
    );
    await expect(convert('实体.doc', Buffer.from(withEntity))).rejects.toThrow('内容却是纯文本');
    for (const rendition of await Promise.all([
      convert('外部.doc', Buffer.from(word)),
      convert('外部2.doc', Buffer.from(flat)),
    ])) {
      expect(rendition.state).toBe('ready');
      const plainText = await text((await ctx.storage.get(renditionStorageKeys(rendition).text)).stream);
      expect(plainText).toContain('words');
      expect(plainText).not.toContain('root:');
    }
    expect(requests).toBe(0);
  });

  test('is detected and converted when it begins with thousands of comments', async () => {
    const rendition = await convert('注释.doc', Buffer.from(`${'<!---->'.repeat(5_000)}<p>words</p>`));
    expect(rendition).toMatchObject({ state: 'ready', view: 'flow' });
  });
});

describe('conversion of oversized files', () => {
  test('rejects a ZIP bomb before any program opens it', async () => {
    const rendition = await convert('炸弹.docx', docxBomb(150));
    expect(rendition).toMatchObject({
      state: 'failed',
      reason: '压缩包展开后过大，无法处理',
      attempts: 1,
    });
  });

  test('rejects a PDF with more pages than can be numbered', async () => {
    const pdfWithFalseCount = makePdf().toString('latin1').replace('/Count 1', '/Count 100000');
    expect(await convert('十万页.pdf', Buffer.from(pdfWithFalseCount, 'latin1'))).toMatchObject({
      state: 'failed',
      reason: '文档过大，无法处理',
      attempts: 1,
    });
  });

  test('draws a huge page with at most four million pixels', async () => {
    const rendition = await convert('巨大.pdf', makePdf({ width: 14_400, height: 14_400 }));
    expect(rendition).toMatchObject({ state: 'ready', pages: 1 });
    expect(rendition.width * rendition.height).toBeLessThanOrEqual(4_000_000);
  });
});

test('an encrypted PDF fails as encrypted after one attempt', async () => {
  expect(await convert('加密.pdf', encryptedPdf())).toMatchObject({
    state: 'failed',
    reason: '文档已加密',
    attempts: 1,
  });
});

test.runIf(hasOffice)('a truncated Word document fails as damaged', async () => {
  const completeFile = makeDocx('一段文字', '又一段');
  const rendition = await convert('残缺.docx', completeFile.subarray(0, completeFile.length - 200));
  expect(rendition).toMatchObject({ state: 'failed', reason: '文档已损坏，无法打开' });
});

test('malicious documents leave no process and no temporary file after their conversion', async () => {
  expect(await readdir(path.join(folder, 'tmp'))).toEqual([]);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  expect(commands.filter((command) => command.includes(folder))).toEqual([]);
});

test('a PDF with ten thousand pages is readable before all pages are converted', async () => {
  const { id } = await addRendition(ctx, '万页.pdf', makePdf({ pages: 10_000 }));
  const isReadable = () => findRendition(ctx, id).then((rendition) => (rendition?.ready_pages ?? 0) > 0);
  await expect.poll(isReadable).toBe(true);
  expect(await findRendition(ctx, id)).toMatchObject({ state: 'readable', pages: 10_000 });
});
