import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
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

/** For a document that is already opened. */
export async function loadPageWords(
  ctx: Context,
  { rendition, readable }: OpenDocument,
  { page, size }: { page: number; size: number },
): Promise<ReadingWords[]> {
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
    const bytes = await gunzipBuffer(compressedPages.subarray(start - from, end - from), {
      maxOutputLength: MAX_PAGE_WORDS_BYTES,
    });
    return JSON.parse(bytes.toString()) as ReadingWord[][];
  };
  return Promise.all(pages.map(async (number) => ({ page: number, lines: await linesOf(number) })));
}
