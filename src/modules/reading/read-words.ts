import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { recognizedWordsKey, renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { listRecognizedPages } from '#modules/recognition/recognized-text.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import {
  loadReadableDocument,
  type OpenDocument,
  readablePageNumbers,
  readRenditionMeta,
} from './load-readable-document.ts';
import type { ReadingWord, ReadingWords, readingApi } from './reading.contract.ts';

/** Limit of the decompressed words of a page, which normally take some hundred kilobytes. */
const MAX_PAGE_WORDS_BYTES = 16 * 1024 * 1024;
const gunzipBuffer = promisify(gunzip);

/** The words of pages with their boxes, for selecting, copying and highlighting. */
export async function readWords(ctx: Context, { id, page, size }: ParsedInputOf<typeof readingApi.words>) {
  const document = await loadReadableDocument(ctx, id);
  return { page: document?.rendition.view === 'pages' ? await loadPageWords(ctx, document, { page, size }) : [] };
}

/** For a document that is already opened. Recognized words replace those of a page without usable text. */
export async function loadPageWords(
  ctx: Context,
  document: OpenDocument,
  range: { page: number; size: number },
): Promise<ReadingWords[]> {
  const { page: from, size } = range;
  const [pages, recognizedPages] = await Promise.all([
    loadExtractedWords(ctx, document, range),
    listRecognizedPages(ctx, document.rendition, { from, to: from + size - 1 }),
  ]);
  return Promise.all(
    pages.map(async ({ page, lines }) =>
      recognizedPages.has(page)
        ? { page, lines: await loadRecognizedWords(ctx, document, page), recognized: true }
        : { page, lines, recognized: false },
    ),
  );
}

async function loadRecognizedWords(ctx: Context, { rendition }: OpenDocument, page: number) {
  return decompressWords(await ctx.storage.read(recognizedWordsKey(rendition, page)));
}

async function decompressWords(compressedWords: Buffer): Promise<ReadingWord[][]> {
  const bytes = await gunzipBuffer(compressedWords, { maxOutputLength: MAX_PAGE_WORDS_BYTES });
  return JSON.parse(bytes.toString());
}

async function loadExtractedWords(
  ctx: Context,
  { rendition, readable }: OpenDocument,
  { page, size }: { page: number; size: number },
): Promise<{ page: number; lines: ReadingWord[][] }[]> {
  const { words: offsets } = await readRenditionMeta(ctx, rendition);
  const pages = readablePageNumbers(page, size, Math.min(readable, offsets.length - 1));
  const [from = 0, to = 0] = [offsets[page - 1], offsets[page - 1 + pages.length]];
  if (pages.length === 0 || to <= from) return [];
  const { stream } = await ctx.storage.get(renditionStorageKeys(rendition).words, {
    start: from,
    end: to - 1,
  });
  const compressedPages = await buffer(stream);
  const linesOf = async (number: number) => {
    const [start = 0, end = 0] = [offsets[number - 1], offsets[number]];
    return decompressWords(compressedPages.subarray(start - from, end - from));
  };
  return Promise.all(pages.map(async (number) => ({ page: number, lines: await linesOf(number) })));
}
