import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import type { PageWords } from '../events.ts';
import { needsRecognition } from '../ocr/needs-recognition.ts';
import { openPdf, type Pdf } from '../pdf-engine.ts';
import { readOutline, readTitle } from '../pdf-metadata.ts';
import { type Bitmap, drawPage, readPageSizes, withPage } from '../pdf-page.ts';
import { readPdfWords } from '../pdf-words.ts';
import { listReplacedFonts } from '../system-fonts.ts';
import { createPdfWriter, type PdfPageContent, type PdfWriter } from './pdf-writer.ts';

/** Writes a file and opens it with PDFium. */
async function writeAndOpen(write: (writer: PdfWriter) => void): Promise<Pdf> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-pdf-writer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'written.pdf');
  const writer = createPdfWriter(file);
  write(writer);
  writer.close();
  const pdf = await openPdf(file);
  onTestFinished(pdf.close);
  return pdf;
}

/** A page of 400 × 200 points without content. */
const page = (content: Partial<PdfPageContent>): PdfPageContent => ({
  width: 400,
  height: 200,
  content: '',
  resources: [],
  ...content,
});

const onePage = (content: Partial<PdfPageContent>) => (writer: PdfWriter) => {
  writer.addPage(page(content));
  writer.end();
};

const wordsOfPage = (pdf: Pdf, index = 0): PageWords => withPage(pdf, index, (handle) => readPdfWords(pdf, handle));
const textOfWords = (words: PageWords) => words.map((line) => line.map(([text]) => text).join(''));
const draw = (pdf: Pdf, index = 0): Bitmap =>
  withPage(pdf, index, (handle) => drawPage(pdf, handle, { width: 400, height: 200 }));

function pixelAt({ pixels, width }: Bitmap, x: number, y: number): number[] {
  const at = (y * width + x) * 4;
  return [...pixels.subarray(at, at + 3)];
}

test('invisible words are read with their text and boxes, and are not drawn', async () => {
  const words = [
    { text: 'Annual ', x: 40, y: 30, width: 70, height: 20 },
    { text: 'report', x: 118, y: 30, width: 60, height: 20 },
    { text: '全文检索', x: 40, y: 80, width: 160, height: 30 },
  ];
  const pdf = await writeAndOpen(onePage({ words }));
  const lines = wordsOfPage(pdf);
  expect(textOfWords(lines)).toEqual(['Annual report', '全文检索']);
  const expected = [
    [1_000, 750, 1_750, 500],
    [2_950, 750, 1_500, 500],
    [1_000, 2_000, 4_000, 750],
  ];
  lines.flat().forEach(([, ...box], index) => {
    for (const [side, value] of box.entries())
      expect(Math.abs(value - (expected[index]?.[side] ?? 0))).toBeLessThan(30);
  });
  expect(new Set(draw(pdf).pixels)).toEqual(new Set([255]));
  expect(listReplacedFonts()).toEqual([]);
});

test('invisible words keep rare characters, ligatures and characters outside of the basic plane', async () => {
  const texts = ['𠮷野家\n', '€\n', 'naïve\n', '䨻\n', '😀'];
  const words = texts.map((text, index) => ({ text, x: 20, y: 10 + 30 * index, width: 50, height: 16 }));
  const pdf = await writeAndOpen(onePage({ words }));
  expect(textOfWords(wordsOfPage(pdf)).map((line) => line.trim())).toEqual(texts.map((text) => text.trim()));
});

test('words far narrower or wider than their height stay in one line and one place', async () => {
  const words = [
    { text: 'illi ', x: 20, y: 10, width: 6, height: 20 },
    { text: 'A', x: 60, y: 10, width: 200, height: 20 },
  ];
  const lines = wordsOfPage(await writeAndOpen(onePage({ words })));
  expect(textOfWords(lines)).toEqual(['illi A']);
  expect(lines[0]?.map(([, x]) => x)).toEqual([500, 1_500]);
});

test('words without characters or without a box are left out', async () => {
  const box = { x: 20, y: 10, width: 60, height: 20 };
  const words = [
    { text: ' ', ...box },
    { text: '', ...box },
    { text: 'flat', ...box, height: 0 },
    { text: 'endless', ...box, width: Number.NaN },
  ];
  expect(wordsOfPage(await writeAndOpen(onePage({ words })))).toEqual([]);
});

test('a JPEG file is written unchanged, and a page that it fills is a scanned page', async () => {
  const jpeg = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#2060c0' } })
    .jpeg({ quality: 95 })
    .toBuffer();
  const pdf = await writeAndOpen((writer) => {
    const picture = writer.addJpeg(jpeg, { width: 80, height: 40, channels: 3 });
    const content = `400 0 0 200 0 0 cm /${picture.name} Do`;
    writer.addPage(page({ content, resources: [picture] }));
    writer.addPage(
      page({ content, resources: [picture], words: [{ text: 'Text', x: 9, y: 9, width: 40, height: 9 }] }),
    );
    writer.end();
  });
  expect(pdf.pages).toBe(2);
  for (const index of [0, 1]) {
    const [red = 0, green = 0, blue = 0] = pixelAt(draw(pdf, index), 200, 100);
    expect(Math.hypot(red - 0x20, green - 0x60, blue - 0xc0)).toBeLessThan(8);
  }
  const isScanned = [0, 1].map((index) =>
    withPage(pdf, index, (handle) => needsRecognition(pdf, handle, readPdfWords(pdf, handle))),
  );
  expect(isScanned).toEqual([true, false]);
  expect(textOfWords(wordsOfPage(pdf, 1))).toEqual(['Text']);
});

test('gray and coloured pixels are drawn in place, and transparent ones show what lies below', async () => {
  const pdf = await writeAndOpen((writer) => {
    const gray = writer.addPixels({ width: 2, height: 1, channels: 1, pixels: Buffer.from([0, 128]) });
    const red = writer.addPixels({
      width: 2,
      height: 1,
      channels: 3,
      pixels: Buffer.from([255, 0, 0, 255, 0, 0]),
      alpha: Buffer.from([255, 0]),
    });
    const content = `q 400 0 0 200 0 0 cm /${gray.name} Do Q q 400 0 0 100 0 0 cm /${red.name} Do Q`;
    writer.addPage(page({ content, resources: [gray, red] }));
    writer.end();
  });
  const bitmap = draw(pdf);
  const colours = [
    [50, 50],
    [350, 50],
    [50, 150],
    [350, 150],
  ].map(([x = 0, y = 0]) => pixelAt(bitmap, x, y));
  expect(colours).toEqual([
    [0, 0, 0],
    [128, 128, 128],
    [255, 0, 0],
    [128, 128, 128],
  ]);
});

test('operators of a page use graphics states and shadings, and do not affect its words', async () => {
  const pdf = await writeAndOpen((writer) => {
    const half = writer.addGraphicsState({ fillAlpha: 0.5 });
    const gradient = writer.addDictionary(
      'Shading',
      '/ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 400 0] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>',
    );
    const square = writer.addOperators('XObject', '/Type /XObject /Subtype /Form /BBox [0 0 10 10]', {
      content: '0 0 10 10 re f',
      resources: [],
    });
    const content = [
      `q 0 0 400 50 re W n /${gradient.name} sh Q`,
      `/${half.name} gs 1 0 0 rg 0 150 400 50 re f`,
      `q 1 0 0 1 100 100 cm /${square.name} Do Q 2 0 0 2 0 0 cm`,
    ].join('\n');
    const words = [{ text: 'Marked', x: 40, y: 20, width: 60, height: 20 }];
    writer.addPage(page({ content, resources: [half, gradient, square], words }));
    writer.end();
  });
  const bitmap = draw(pdf);
  expect(pixelAt(bitmap, 200, 25)).toEqual([255, 128, 128]);
  expect(pixelAt(bitmap, 105, 95)).toEqual([255, 128, 128]);
  expect(pixelAt(bitmap, 10, 180)[0]).toBeLessThan(20);
  expect(pixelAt(bitmap, 390, 180)[0]).toBeGreaterThan(235);
  expect(wordsOfPage(pdf)[0]?.[0]?.slice(0, 3)).toEqual(['Marked', 1_000, 500]);
});

test('every page has its own size, and the file its title and table of contents', async () => {
  const pdf = await writeAndOpen((writer) => {
    for (const [width, height] of [
      [400, 200],
      [100, 300],
    ] as const)
      writer.addPage({ width, height, content: '', resources: [] });
    const outline = [
      { title: '第一章', page: 1, children: [{ title: '第一节 (1)', page: 2, children: [] }] },
      { title: '附录', page: 2, children: [] },
    ];
    writer.end({ title: '年度报告 2026', outline });
  });
  expect(readPageSizes(pdf, (size) => size)).toEqual([
    { width: 400, height: 200 },
    { width: 100, height: 300 },
  ]);
  expect(readTitle(pdf)).toBe('年度报告 2026');
  expect(readOutline(pdf)).toEqual([
    { depth: 0, title: '第一章', page: 1 },
    { depth: 1, title: '第一节 (1)', page: 2 },
    { depth: 0, title: '附录', page: 2 },
  ]);
});
