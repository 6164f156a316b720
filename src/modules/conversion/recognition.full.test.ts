import sharp from 'sharp';
import { expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { characterErrorRate } from './character-error-rate.fixture.ts';
import { makePdf } from './document-files.fixture.ts';
import { isPaddleAvailable, isTesseractAvailable } from './recognize/engine-availability.ts';
import { recognizeFile } from './recognize-file.fixture.ts';
import {
  columnsPage,
  degrade,
  mixedPage,
  rotate,
  type ScannedPage,
  sealPage,
  simplifiedPage,
  tablePage,
  traditionalPage,
  verticalPage,
} from './scanned-pages.fixture.ts';
import { FULL_PAGE_PICTURE, pdfWithPicture } from './scanned-pdf.fixture.ts';

const [CLEAN_LIMIT, DEGRADED_LIMIT] = [0.02, 0.06];
const hasTesseract = await isTesseractAvailable();

const samples: [name: string, draw: () => Promise<ScannedPage>, limit: number][] = [
  ['simplified', simplifiedPage, CLEAN_LIMIT],
  ['sans-serif', () => simplifiedPage({ family: 'Sans' }), CLEAN_LIMIT],
  ['mixed Chinese and English', mixedPage, CLEAN_LIMIT],
  ['two columns', columnsPage, CLEAN_LIMIT],
  ['vertical', verticalPage, CLEAN_LIMIT],
  ['red seal', sealPage, CLEAN_LIMIT],
  ['rotated by 90 degrees', async () => rotate(await simplifiedPage(), 90), CLEAN_LIMIT],
  ['rotated by 180 degrees', async () => rotate(await simplifiedPage(), 180), CLEAN_LIMIT],
  ['rotated by 270 degrees', async () => rotate(await simplifiedPage(), 270), CLEAN_LIMIT],
  ['degraded', async () => degrade(await simplifiedPage()), DEGRADED_LIMIT],
  ['degraded columns', async () => degrade(await columnsPage()), DEGRADED_LIMIT],
  ['degraded table', async () => degrade(await tablePage()), DEGRADED_LIMIT],
  ['degraded English', async () => degrade(await mixedPage()), DEGRADED_LIMIT],
];

test.each(samples)('a %s page is recognized within its limit of wrong characters', async (_name, draw, limit) => {
  const scan = await draw();
  const { results } = await recognizeFile(scan.image);
  expect(characterErrorRate(scan.text, results[0]?.text ?? '')).toBeLessThanOrEqual(limit);
});

test.runIf(hasTesseract)('a traditional page is recognized within its limit when Tesseract is installed', async () => {
  const scan = await traditionalPage();
  const { results } = await recognizeFile(scan.image);
  expect(characterErrorRate(scan.text, results[0]?.text ?? '')).toBeLessThanOrEqual(CLEAN_LIMIT);
});

test.runIf(hasTesseract)(
  'Tesseract alone recognizes a table row by row, and no spaces between characters',
  async () => {
    const scan = await tablePage();
    const { results } = await recognizeFile(scan.image, { engine: 'tesseract' });
    const [result] = results;
    expect(result?.engine).toBe('tesseract chi_sim');
    expect(characterErrorRate(scan.text, result?.text ?? '')).toBeLessThanOrEqual(DEGRADED_LIMIT);
    expect(result?.text).toContain('清华大学出版社');
  },
);

test('the words of a page rotated by 90 degrees have tall boxes inside the page', async () => {
  const scan = await rotate(await simplifiedPage(), 90);
  const { results } = await recognizeFile(scan.image);
  const words = results.flatMap((result) => result.words.flat()).filter(([text]) => text.length > 10);
  expect(words.length).toBeGreaterThan(10);
  for (const [, x, y, width, height] of words) {
    expect(height).toBeGreaterThan(width);
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(10_000);
  }
});

test('a stop command ends the task after the current page, and the finished pages are written', async () => {
  const scan = await tablePage();
  const page = { operators: FULL_PAGE_PICTURE };
  const pdf = await pdfWithPicture(scan.image, [page, page, page]);
  const { results, isDone } = await recognizeFile(pdf, {
    pages: [1, 2, 3],
    onEvent: (event, send) => {
      if (event.type === 'start') send(JSON.stringify({ stop: true }));
    },
  });
  expect([isDone, results.map(({ page }) => page)]).toEqual([true, [1]]);
});

test('a page without any text yields no words', async () => {
  const blank = await sharp({ create: { width: 800, height: 1_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const { results } = await recognizeFile(blank);
  expect(results).toMatchObject([{ words: [], confidence: 0 }]);
});

test('the page size that a PDF declares does not matter', async () => {
  const box = (size: string) =>
    makePdf()
      .toString('latin1')
      .replace(/MediaBox ?\[[^\]]*\]/, `MediaBox [${size}]`);
  for (const size of ['0 0 14400 14400', '0 0 1 1', '0 0 0 0', '0 0 14400 1']) {
    const { isDone, results } = await recognizeFile(Buffer.from(box(size), 'latin1'));
    expect([size, isDone, results.length]).toEqual([size, true, 1]);
  }
});

const noise = async (width: number, height: number) => {
  let state = 1;
  const pixels = Buffer.from(
    Array.from({ length: width * height }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
};

test('noise is recognized within the limits of processor time and memory', async () => {
  const { isDone, cpuSeconds, peakMegabytes } = await recognizeFile(await noise(2_000, 2_000));
  expect(isDone).toBe(true);
  expect(cpuSeconds).toBeLessThan(60);
  expect(peakMegabytes).toBeLessThan(1_024);
});

/** A small file whose image has this number of pixels in each direction. */
const hugeImage = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#fff' }, limitInputPixels: false })
    .png({ compressionLevel: 9 })
    .toBuffer();

const rejectedFiles: [name: string, bytes: () => Promise<Buffer>, reason: RegExp][] = [
  ['an empty file', async () => Buffer.alloc(0), /损坏/],
  ['bytes that are no image', async () => Buffer.from('not an image'.repeat(100)), /损坏/],
  ['a truncated PDF', async () => makePdf().subarray(0, 40), /损坏/],
  ['a PNG without pixel data', async () => (await noise(100, 100)).subarray(0, 60), /损坏/],
  ['an image of 225 million pixels', () => hugeImage(15_000), /过大/],
  ['an SVG drawing', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), /不符/],
];

test.each(rejectedFiles)('%s is rejected with a reason', async (_name, bytes, reason) => {
  await expect(recognizeFile(await bytes())).rejects.toThrow(reason);
});

test('an image just below the limit of pixels is recognized within the limit of memory', async () => {
  const { isDone, peakMegabytes } = await recognizeFile(await hugeImage(10_900));
  expect(isDone).toBe(true);
  expect(peakMegabytes).toBeLessThan(1_024);
});

test('the availability of the engines is what the installation has', async () => {
  expect(await isPaddleAvailable()).toBe(true);
  expect(hasTesseract ? await isSandboxAvailable() : false).toBe(hasTesseract);
});
