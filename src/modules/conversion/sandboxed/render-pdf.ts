import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { emptyMeta } from '../empty-meta.ts';
import type { RenditionMeta } from '../rendition-meta.ts';
import { drawBrokenPagePlaceholder } from './draw-broken-page-placeholder.ts';
import { writePageCover, writePageImages } from './encode-page.ts';
import type { ConverterEvent, PageWords } from './events.ts';
import { joinWords } from './join-words.ts';
import { needsRecognition } from './ocr/needs-recognition.ts';
import { isWasmTrap, loadPdfiumEngine, openPdf, type Pdf } from './pdf-engine.ts';
import { readOutline, readRestrictions, readTitle, translateSlideNames } from './pdf-metadata.ts';
import { type Bitmap, drawPage, type PdfPageSize, readPageSizes, withPage } from './pdf-page.ts';
import { readPdfWords } from './pdf-words.ts';
import { listReplacedFonts } from './system-fonts.ts';

export type RenderOptions = {
  file: string;
  folder: string;
  /** Pages before this one are stored already. */
  from: number;
  /** Number of first pages that are drawn before anything else. */
  first: number;
  text: boolean;
  /** Whether LibreOffice wrote the file from a presentation. */
  isSlides: boolean;
  /** Pages that crashed this program before. */
  skip: number[];
  /** Number of images that are encoded in parallel. */
  parallel: number;
  /** The file does not exist yet: wait for the command `inputReady`. */
  wait?: boolean;
};
type Emit = (event: ConverterEvent) => void;
/** Commands received from the parent process on standard input. */
export type RenderCommands = { requestedPages: number[]; isStopRequested: boolean; inputReady: Promise<void> };
/** Interval of events while waiting, shorter than the idle limit of the sandbox. */
const HEARTBEAT_MS = 3_000;
/** One page is drawn after this number of pages of text, so that the encoder threads stay busy. */
const TEXT_PAGES_PER_DRAWING = 8;

/** Draws the first pages of a PDF, then extracts the text while it draws the rest, requested pages first. */
export async function renderPdf(options: RenderOptions, emit: Emit, commands: RenderCommands) {
  const { folder, from, first, text } = options;
  if (options.wait) {
    await loadPdfiumEngine();
    const heartbeat = setInterval(() => emit({ type: 'waiting' }), HEARTBEAT_MS);
    await commands.inputReady;
    clearInterval(heartbeat);
  }
  const pdf = await openPdf(options.file);
  const sizes = readPageSizes(pdf);
  const meta: RenditionMeta = {
    ...emptyMeta(),
    sizes: sizes.map(({ width, height }) => [width, height]),
    outline: options.isSlides ? translateSlideNames(readOutline(pdf)) : readOutline(pdf),
    forbids: readRestrictions(pdf),
    title: readTitle(pdf),
  };
  const writeMeta = () => writeFileSync(`${folder}/meta.json`, JSON.stringify(meta));
  writeMeta();
  const { width = 1, height = 1 } = sizes[0] ?? {};
  emit({ type: 'opened', pages: pdf.pages, width, height });

  const drawing = createPageDrawer(pdf, sizes, options, emit);
  const pages = Array.from({ length: Math.max(0, pdf.pages - from + 1) }, (_, index) => from + index);
  const pendingPages = new Set(pages);
  const takeNextPage = () => {
    const requestedPage = commands.requestedPages.shift();
    const page =
      requestedPage !== undefined && pendingPages.has(requestedPage)
        ? requestedPage
        : pendingPages.values().next().value;
    if (page !== undefined) pendingPages.delete(page);
    return page;
  };
  for (const page of pages.filter((page) => page <= first)) {
    pendingPages.delete(page);
    await drawing.draw(page);
  }
  await drawing.finish();
  const drawNext = async () => {
    const page = commands.isStopRequested ? undefined : takeNextPage();
    if (page === undefined) return false;
    await drawing.draw(page);
    // Yields to the event loop, so that commands are received between pages.
    await new Promise(setImmediate);
    return true;
  };
  if (text) {
    for (const { offsets, scannedPages } of writeText(pdf, options, emit)) {
      meta.words = offsets;
      meta.scannedPages = scannedPages;
      meta.replacedFonts = listReplacedFonts();
      await drawNext();
    }
    writeMeta();
    emit({ type: 'text' });
  }
  while (await drawNext());
  await drawing.finish();
  pdf.close();
}

function createPageDrawer(pdf: Pdf, sizes: PdfPageSize[], { folder, parallel, skip }: RenderOptions, emit: Emit) {
  const inFlight = new Set<Promise<void>>();
  const encode = async (page: number, bitmap: Bitmap) => {
    await writePageImages(folder, page, bitmap);
    emit({ type: 'page', page });
    if (page !== 1) return;
    await writePageCover(folder, bitmap);
    emit({ type: 'cover' });
  };
  return {
    async draw(page: number) {
      const size = sizes[page - 1] ?? { width: 1, height: 1 };
      emit({ type: 'start', page });
      const bitmap = await drawOrReadPageBitmap(pdf, page, size, { folder, isSkipped: skip.includes(page) });
      if (!bitmap) emit({ type: 'broken', page });
      const work = encode(page, bitmap ?? (await drawBrokenPagePlaceholder(size)));
      const trackedWork = work.finally(() => inFlight.delete(trackedWork));
      inFlight.add(trackedWork);
      if (inFlight.size >= parallel) await Promise.race(inFlight);
    },
    finish: () => Promise.all(inFlight),
  };
}

/** Returns null for a page that cannot be drawn. Another program may have drawn a skipped page. */
async function drawOrReadPageBitmap(
  pdf: Pdf,
  page: number,
  size: PdfPageSize,
  { folder, isSkipped }: { folder: string; isSkipped: boolean },
): Promise<Bitmap | null> {
  if (isSkipped) return readSubstitute(`${folder}/substitute-${page}.png`, size);
  try {
    return withPage(pdf, page - 1, (handle) => drawPage(pdf, handle, size));
  } catch (error) {
    // A WebAssembly trap leaves the engine unusable: the process ends and is restarted without the page.
    if (isWasmTrap(error)) throw error;
    return null;
  }
}

async function readSubstitute(file: string, { width, height }: PdfPageSize): Promise<Bitmap | null> {
  if (!existsSync(file)) return null;
  try {
    const pixels = await sharp(file, { limitInputPixels: 40_000_000 })
      .resize({ width, height, fit: 'fill' })
      .ensureAlpha()
      .raw()
      .toBuffer();
    return { width, height, pixels };
  } catch {
    return null; // The file is truncated or not an image.
  }
}

/** `offsets` of the words of each page, and the pages whose text has to be recognized. */
type TextProgress = { offsets: number[]; scannedPages: number[] };

/** Writes the words and the text of all pages in steps. */
function* writeText(pdf: Pdf, { folder, skip }: RenderOptions, emit: Emit): Generator<TextProgress> {
  const [wordsFile, textFile] = [`${folder}/words.bin`, `${folder}/text.txt`];
  for (const file of [wordsFile, textFile]) rmSync(file, { force: true });
  const offsets = [0];
  const scannedPages: number[] = [];
  let end = 0;
  for (let page = 1; page <= pdf.pages; page++) {
    emit({ type: 'start', page });
    const { words, isScanned } = skip.includes(page) ? PAGE_WITHOUT_TEXT : readPageText(pdf, page);
    if (isScanned) scannedPages.push(page);
    const compressedWords = gzipSync(JSON.stringify(words), { level: 4 });
    appendFileSync(wordsFile, compressedWords);
    appendFileSync(textFile, page === 1 ? joinWords(words) : `\f${joinWords(words)}`);
    end += compressedWords.length;
    offsets.push(end);
    if (page % TEXT_PAGES_PER_DRAWING === 0 || page === pdf.pages) yield { offsets, scannedPages };
  }
}

type PageText = { words: PageWords; isScanned: boolean };
const PAGE_WITHOUT_TEXT: PageText = { words: [], isScanned: false };

function readPageText(pdf: Pdf, page: number): PageText {
  try {
    return withPage(pdf, page - 1, (handle) => {
      const words = readPdfWords(pdf, handle);
      return { words, isScanned: needsRecognition(pdf, handle, words) };
    });
  } catch (error) {
    if (isWasmTrap(error)) throw error;
    return PAGE_WITHOUT_TEXT;
  }
}
