import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { emptyMeta } from '../empty-meta.ts';
import type { RenditionMeta } from '../rendition-meta.ts';
import { brokenPage } from './broken-page.ts';
import { pageCover, writePage } from './encode-page.ts';
import type { ConverterEvent } from './events.ts';
import { isTrap, loadEngine, openPdf, type Pdf } from './pdf-engine.ts';
import { nameSlides, readForbidden, readOutline, readTitle } from './pdf-outline.ts';
import { type Bitmap, drawPage, pageSizes, type Size, withPage } from './pdf-page.ts';
import { readWords, textOf } from './pdf-words.ts';

export type RenderOptions = {
  file: string;
  folder: string;
  /** Pages before this one are stored already. */
  from: number;
  /** So many of the first pages are drawn before anything else is done. */
  first: number;
  /** Whether the text of all pages is wanted. */
  text: boolean;
  /** Whether LibreOffice made the file from a presentation. */
  isSlides: boolean;
  /** Pages that ended this program before. */
  skip: number[];
  /** Pictures drawn at once. */
  parallel: number;
  /** The file is still being made: wait for the word. */
  wait?: boolean;
};
type Say = (event: ConverterEvent) => void;
/** Pages asked for meanwhile, whether to stop after the present one, and the word that the file is there. */
export type Commands = { wanted: number[]; isStopped: boolean; isThere: Promise<void> };
/** A sign of life, well within the silence that is allowed. */
const SIGN_MS = 3_000;
/** After the text of so many pages one is drawn, so that those who encode have something to do. */
const TEXT_STEP = 8;

/** Draws the pages of a PDF: the first ones, then beside the text of all the rest, wanted ones first. */
export async function renderPdf(options: RenderOptions, say: Say, commands: Commands) {
  const { folder, from, first, text } = options;
  if (options.wait) {
    await loadEngine();
    const signs = setInterval(() => say({ type: 'waiting' }), SIGN_MS);
    await commands.isThere;
    clearInterval(signs);
  }
  const pdf = await openPdf(options.file);
  const sizes = pageSizes(pdf);
  const meta: RenditionMeta = {
    ...emptyMeta(),
    sizes: sizes.map(({ width, height }) => [width, height]),
    outline: options.isSlides ? nameSlides(readOutline(pdf)) : readOutline(pdf),
    forbids: readForbidden(pdf),
    title: readTitle(pdf),
  };
  const writeMeta = () => writeFileSync(`${folder}/meta.json`, JSON.stringify(meta));
  writeMeta();
  const { width = 1, height = 1 } = sizes[0] ?? {};
  say({ type: 'opened', pages: pdf.pages, width, height });

  const drawing = pageDrawer(pdf, sizes, options, say);
  const pages = Array.from({ length: Math.max(0, pdf.pages - from + 1) }, (_, index) => from + index);
  const waiting = new Set(pages);
  const next = () => {
    const wish = commands.wanted.shift();
    const page = wish !== undefined && waiting.has(wish) ? wish : waiting.values().next().value;
    if (page !== undefined) waiting.delete(page);
    return page;
  };
  for (const page of pages.filter((page) => page <= first)) {
    waiting.delete(page);
    await drawing.draw(page);
  }
  await drawing.finish();
  const drawNext = async () => {
    const page = commands.isStopped ? undefined : next();
    if (page === undefined) return false;
    await drawing.draw(page);
    // Lets commands in, for drawing itself never waits.
    await new Promise(setImmediate);
    return true;
  };
  if (text) {
    for (const offsets of writeText(pdf, options, say)) {
      meta.words = offsets;
      await drawNext();
    }
    writeMeta();
    say({ type: 'text' });
  }
  while (await drawNext());
  await drawing.finish();
  pdf.close();
}

function pageDrawer(pdf: Pdf, sizes: Size[], { folder, parallel, skip }: RenderOptions, say: Say) {
  const inFlight = new Set<Promise<void>>();
  const encode = async (page: number, bitmap: Bitmap) => {
    await writePage(folder, page, bitmap);
    say({ type: 'page', page });
    if (page !== 1) return;
    await pageCover(folder, bitmap);
    say({ type: 'cover' });
  };
  return {
    async draw(page: number) {
      const size = sizes[page - 1] ?? { width: 1, height: 1 };
      say({ type: 'start', page });
      const bitmap = await bitmapOf(pdf, page, size, { folder, isSkipped: skip.includes(page) });
      if (!bitmap) say({ type: 'broken', page });
      const work = encode(page, bitmap ?? (await brokenPage(size)));
      const tracked = work.finally(() => inFlight.delete(tracked));
      inFlight.add(tracked);
      if (inFlight.size >= parallel) await Promise.race(inFlight);
    },
    finish: () => Promise.all(inFlight),
  };
}

/** Null when it cannot be drawn. A page that was skipped may have been drawn by another program. */
async function bitmapOf(
  pdf: Pdf,
  page: number,
  size: Size,
  { folder, isSkipped }: { folder: string; isSkipped: boolean },
): Promise<Bitmap | null> {
  if (isSkipped) return readSubstitute(`${folder}/substitute-${page}.png`, size);
  try {
    return withPage(pdf, page - 1, (handle) => drawPage(pdf, handle, size));
  } catch (error) {
    // A trap inside the engine leaves it unusable: the program ends and is started anew without the page.
    if (isTrap(error)) throw error;
    return null;
  }
}

async function readSubstitute(file: string, { width, height }: Size): Promise<Bitmap | null> {
  if (!existsSync(file)) return null;
  try {
    const pixels = await sharp(file, { limitInputPixels: 40_000_000 })
      .resize({ width, height, fit: 'fill' })
      .ensureAlpha()
      .raw()
      .toBuffer();
    return { width, height, pixels };
  } catch {
    return null; // Cut off by a limit, or no picture at all.
  }
}

/** The words of all pages, packed one after another, some pages at a time; gives where each begins. */
function* writeText(pdf: Pdf, { folder, skip }: RenderOptions, say: Say): Generator<number[]> {
  const [wordsFile, textFile] = [`${folder}/words.bin`, `${folder}/text.txt`];
  for (const file of [wordsFile, textFile]) rmSync(file, { force: true });
  const offsets = [0];
  let end = 0;
  for (let page = 1; page <= pdf.pages; page++) {
    say({ type: 'start', page });
    const words = skip.includes(page) ? [] : wordsOf(pdf, page);
    const packed = gzipSync(JSON.stringify(words), { level: 4 });
    appendFileSync(wordsFile, packed);
    appendFileSync(textFile, page === 1 ? textOf(words) : `\f${textOf(words)}`);
    end += packed.length;
    offsets.push(end);
    if (page % TEXT_STEP === 0 || page === pdf.pages) yield offsets;
  }
}

function wordsOf(pdf: Pdf, page: number) {
  try {
    return withPage(pdf, page - 1, (handle) => readWords(pdf, handle));
  } catch (error) {
    if (isTrap(error)) throw error;
    return [];
  }
}
