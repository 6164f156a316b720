import { text } from 'node:stream/consumers';
import officeCrypto from 'officecrypto-tool';
import { describe, expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { storeDecryptedCopy } from './decrypted-copy.ts';
import { makeDocx } from './document-files.fixture.ts';
import { makeEncryptedWithLibreOffice } from './encrypted-office.fixture.ts';
import { passwordPdf } from './encrypted-pdf.fixture.ts';
import { encryptSlidesWithRc4, officeSlides } from './encrypted-slides.fixture.ts';
import { encryptWorkbookWithCryptoApi, encryptWorkbookWithRc4 } from './encrypted-workbook.fixture.ts';
import { registerRendition } from './register-rendition.ts';
import { originalKey, renditionStorageKeys } from './rendition-keys.ts';
import { makeWorkbook } from './workbook.fixture.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;

const PASSWORD = 'open-sesame';
const WORDS = 'A paragraph that was encrypted';
const sheets = [{ name: 'Sheet', rows: [[WORDS]] }];

/** Adds a file, waits until its conversion fails as encrypted, and returns its identity. */
async function addEncrypted(name: string, bytes: Buffer) {
  const rendition = await waitForRendition(ctx, (await addRendition(ctx, name, bytes)).id);
  expect(rendition).toMatchObject({ state: 'failed', reason: '文档已加密' });
  const { hash, format } = rendition;
  return { hash, format, extension: name.split('.').at(-1) ?? '' };
}

async function readText(copy: Awaited<ReturnType<typeof storeDecryptedCopy>>): Promise<string> {
  const rendition = await waitForRendition(ctx, (await registerRendition(ctx, copy)).id);
  expect(rendition).toMatchObject({ state: 'ready', reason: '' });
  return text((await ctx.storage.get(renditionStorageKeys(rendition).text)).stream);
}

const encryptOpenXml = (bytes: Buffer, type?: 'standard') =>
  officeCrypto.encrypt(bytes, { password: PASSWORD, ...(type && { type }) });

const fixtureFiles: [string, string, () => Buffer | Promise<Buffer>][] = [
  ['PDF with RC4', 'a.pdf', () => passwordPdf(PASSWORD, WORDS)],
  ['xlsx with agile encryption', 'a.xlsx', () => encryptOpenXml(makeWorkbook('xlsx', sheets))],
  ['xlsx with standard encryption', 'b.xlsx', () => encryptOpenXml(makeWorkbook('xlsx', sheets), 'standard')],
  ['xls with RC4', 'a.xls', () => encryptWorkbookWithRc4(makeWorkbook('xls', sheets), PASSWORD)],
  ['xls with RC4 CryptoAPI', 'b.xls', () => encryptWorkbookWithCryptoApi(makeWorkbook('xls', sheets), PASSWORD)],
];
const libreOfficeFiles: typeof fixtureFiles = [
  ['docx with agile encryption', 'a.docx', () => encryptOpenXml(makeDocx(WORDS))],
  ['docx with standard encryption', 'b.docx', () => encryptOpenXml(makeDocx(WORDS), 'standard')],
  ['doc', 'a.doc', () => makeEncryptedWithLibreOffice(WORDS, 'MS Word 97', PASSWORD)],
  ['odt', 'a.odt', () => makeEncryptedWithLibreOffice(WORDS, 'writer8', PASSWORD)],
  ['PDF with AES', 'b.pdf', () => makeEncryptedWithLibreOffice(WORDS, 'writer_pdf_Export', PASSWORD)],
];

describe('storeDecryptedCopy', () => {
  test.each([...fixtureFiles, ...(hasOffice ? libreOfficeFiles : [])])(
    'rejects a wrong password and stores a readable copy with the right one: %s',
    async (_kind, name, make) => {
      const file = await addEncrypted(name, await make());
      await expect(storeDecryptedCopy(ctx, file, 'another')).rejects.toThrow('密码不正确');
      const copy = await storeDecryptedCopy(ctx, file, PASSWORD);
      expect(copy.hash).not.toBe(file.hash);
      expect(await readText(copy)).toContain(WORDS);
    },
  );

  test.runIf(hasOffice).each<[string, 'ppt' | 'pptx', (slides: Buffer) => Buffer]>([
    ['ppt with RC4', 'ppt', (slides) => encryptSlidesWithRc4(slides, PASSWORD)],
    ['pptx with agile encryption', 'pptx', (slides) => encryptOpenXml(slides)],
    ['pptx with standard encryption', 'pptx', (slides) => encryptOpenXml(slides, 'standard')],
  ])('rejects a wrong password and stores readable slides with the right one: %s', async (_kind, format, encrypt) => {
    const file = await addEncrypted(`a.${format}`, encrypt(await officeSlides(format)));
    await expect(storeDecryptedCopy(ctx, file, 'another')).rejects.toThrow('密码不正确');
    const slides = await readText(await storeDecryptedCopy(ctx, file, PASSWORD));
    expect(slides.match(/Slide \d/g)).toEqual(['Slide 1', 'Slide 2', 'Slide 3']);
  });

  test('rejects an unknown encryption of OpenDocument as unsupported', async () => {
    const encryption = '<manifest:encryption-data><manifest:algorithm manifest:algorithm-name="Blowfish CFB"/>';
    const file = await addEncrypted(
      'a.odt',
      writeZip([
        { name: 'mimetype', body: 'application/vnd.oasis.opendocument.text', isStored: true },
        {
          name: 'META-INF/manifest.xml',
          body: `<manifest:manifest><manifest:file-entry manifest:full-path="content.xml">${encryption}</manifest:encryption-data></manifest:file-entry></manifest:manifest>`,
        },
        { name: 'content.xml', body: 'encrypted bytes' },
      ]),
    );
    await expect(storeDecryptedCopy(ctx, file, PASSWORD)).rejects.toThrow('暂不支持这种加密方式');
  });

  test('rejects a third decryption in the same process while two are running', async () => {
    const file = await addEncrypted('c.pdf', passwordPdf(PASSWORD, 'Busy'));
    const results = await Promise.allSettled(Array.from({ length: 3 }, () => storeDecryptedCopy(ctx, file, PASSWORD)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 503, retryAfter: 5 },
    });
    const copy = await storeDecryptedCopy(ctx, file, PASSWORD);
    expect(await ctx.storage.stat(originalKey(copy.hash))).toMatchObject({ size: copy.size });
  });
});
