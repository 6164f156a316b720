import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { renditionMeta } from '../../rendition-meta.ts';
import { convertToFlow } from './convert-to-flow.ts';

const root = mkdtempSync(path.join(tmpdir(), 'chm-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Builds the file #SYSTEM of a book in this language. */
function systemFile(language: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(3, 0);
  bytes.writeUInt16LE(4, 4);
  bytes.writeUInt16LE(4, 6);
  bytes.writeUInt32LE(language, 8);
  return bytes;
}

/** Converts an unpacked book; returns its text and first outline title. Bytes are written as Latin-1 characters. */
async function convertBook({ language, page, title = 'x' }: { language: number; page: string; title?: string }) {
  const book = mkdtempSync(path.join(root, 'book-'));
  const tableOfContents = `<ul><li><object><param name="Name" value="${title}"><param name="Local" value="a.htm"></object></ul>`;
  writeFileSync(path.join(book, '#SYSTEM'), systemFile(language));
  writeFileSync(path.join(book, 'a.htm'), page, 'latin1');
  writeFileSync(path.join(book, 'book.hhc'), tableOfContents, 'latin1');
  const folder = mkdtempSync(path.join(root, 'out-'));
  await convertToFlow({ file: book, folder, format: 'chm' }, () => {});
  const meta = renditionMeta.parse(JSON.parse(readFileSync(path.join(folder, 'meta.json'), 'utf8')));
  expect(readdirSync(path.join(folder, 'f'))).not.toEqual([]);
  return {
    plain: readFileSync(path.join(folder, 'text.txt'), 'utf8'),
    title: meta.outline[0]?.title,
  };
}

const [ENGLISH, FRENCH, CHINESE] = [0x409, 0x40c, 0x804];
const GBK_TEXT = '\xd5\xe2\xca\xc7\xd6\xd0\xce\xc4';

test('a CHM page without a declared charset is decoded by the language of the book', async () => {
  // "créée" is also a valid pair of bytes in GBK.
  const french = await convertBook({
    language: FRENCH,
    page: '<p>cr\xe9\xe9e</p>',
    title: 'Donn\xe9e cr\xe9\xe9e',
  });
  expect(french).toEqual({ plain: 'créée', title: 'Donnée créée' });
  const chinese = await convertBook({ language: CHINESE, page: `<p>${GBK_TEXT}</p>`, title: GBK_TEXT });
  expect(chinese).toEqual({ plain: '这是中文', title: '这是中文' });
});

test('a CHM page is decoded by its declared charset even if the language of the book differs', async () => {
  const page = '<meta charset="windows-1252"><p>cr\xe9\xe9e</p>';
  expect((await convertBook({ language: CHINESE, page })).plain).toBe('créée');
});

test('a Chinese CHM page is decoded as Chinese although the book was compiled under an English system', async () => {
  expect((await convertBook({ language: ENGLISH, page: `<p>${GBK_TEXT}</p>` })).plain).toBe('这是中文');
});
