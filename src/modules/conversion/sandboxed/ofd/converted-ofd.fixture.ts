import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openPdf, type Pdf } from '../pdf-engine.ts';
import { drawPage, withPage } from '../pdf-page.ts';
import { readPdfWords } from '../pdf-words.ts';
import { convertOfd } from './convert-ofd.ts';

/** Pixels of a drawn page for one millimetre. */
const SCALE = 4;

type PageMillimetres = [width: number, height: number];

/** Converts an OFD file and opens the PDF. */
export async function openConvertedOfd(file: Buffer, pageSize: PageMillimetres = [100, 50]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'douku-ofd-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'in.ofd'), file);
  await convertOfd({ file: path.join(folder, 'in.ofd'), folder }, () => {});
  const pdf = await openPdf(path.join(folder, 'pages.pdf'));
  onTestFinished(pdf.close);
  return {
    pdf,
    fonts: JSON.parse(readFileSync(path.join(folder, 'fonts.json'), 'utf8')) as unknown,
    text: (page = 1) => readText(pdf, page),
    /** The word boxes of a page, in millimetres. */
    boxes: (page = 1) => readBoxes(pdf, page, pageSize),
    colors: (points: [x: number, y: number][], page = 1) => readColors(pdf, page, { pageSize, points }),
  };
}

const readWords = (pdf: Pdf, page: number) => withPage(pdf, page - 1, (handle) => readPdfWords(pdf, handle));

const readText = (pdf: Pdf, page: number): string =>
  readWords(pdf, page)
    .map((line) => line.map(([text]) => text).join(''))
    .join('\n');

const readBoxes = (pdf: Pdf, page: number, [width]: PageMillimetres) =>
  readWords(pdf, page)
    .flat()
    .map(([text, ...box]) => [text, ...box.map((value) => Math.round((value / 10_000) * width * 10) / 10)]);

/** Colors at points in millimetres, as numbers such as "255 0 0". */
function readColors(
  pdf: Pdf,
  page: number,
  { pageSize, points }: { pageSize: PageMillimetres; points: [number, number][] },
) {
  const [width, height] = [pageSize[0] * SCALE, pageSize[1] * SCALE];
  const { pixels } = withPage(pdf, page - 1, (handle) => drawPage(pdf, handle, { width, height }));
  return points.map(([x, y]) => {
    const at = (Math.floor(y * SCALE) * width + Math.floor(x * SCALE)) * 4;
    return [...pixels.subarray(at, at + 3)].join(' ');
  });
}
