import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pdfWithUnreadableText } from '../../pdf-with-unreadable-text.fixture.ts';
import { FULL_PAGE_PICTURE, LINE_OF_TEXT, pdfWithPicture } from '../../scanned-pdf.fixture.ts';
import { findScannedPages } from './find-scanned-pages.ts';

const picture = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#999' } })
  .png()
  .toBuffer();

async function scannedPagesOf(pdf: Buffer): Promise<number[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-scan-'));
  try {
    await writeFile(`${folder}/in.pdf`, pdf);
    await findScannedPages({ file: `${folder}/in.pdf`, folder }, () => {});
    return JSON.parse(await readFile(`${folder}/scanned-pages.json`, 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a page needs recognition if pictures cover more than half of it and it has no text', async () => {
  const pages = [
    { operators: FULL_PAGE_PICTURE },
    { operators: LINE_OF_TEXT },
    { operators: `${FULL_PAGE_PICTURE} ${LINE_OF_TEXT}` },
    { operators: 'q 595 0 0 400 0 0 cm /Im Do Q' },
    { operators: '' },
  ];
  expect(await scannedPagesOf(await pdfWithPicture(picture, pages))).toEqual([1]);
});

test('the area that overlapping pictures cover is counted once, and strips of one scan together', async () => {
  const third = (bottom: number) => `q 595 0 0 281 0 ${bottom} cm /Im Do Q`;
  const pages = [
    { operators: [0, 281, 562].map(third).join(' ') },
    { operators: [0, 0, 0].map(third).join(' ') },
    // A picture larger than the page.
    { operators: 'q 2000 0 0 2000 -500 -500 cm /Im Do Q' },
  ];
  expect(await scannedPagesOf(await pdfWithPicture(picture, pages))).toEqual([1, 3]);
});

test('pictures in forms count with the matrices of the form and of its place', async () => {
  const pages = [
    { operators: 'q 2 0 0 2 0 0 cm /Fm Do Q', formOperators: 'q 300 0 0 421 0 0 cm /Im Do Q' },
    { operators: '/Fm Do', formOperators: 'q 300 0 0 421 0 0 cm /Im Do Q' },
    { operators: '/Fm Do', formOperators: 'q 300 0 0 421 0 0 cm /Im Do Q', formMatrix: '2 0 0 2 0 0' },
  ];
  expect(await scannedPagesOf(await pdfWithPicture(picture, pages))).toEqual([1, 3]);
});

test('pages whose fonts do not map to Unicode need recognition, and a legible page of the same file does not', async () => {
  expect(await scannedPagesOf(pdfWithUnreadableText())).toEqual([2, 3]);
});
