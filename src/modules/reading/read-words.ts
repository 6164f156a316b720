import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { type OpenContent, openDocument, pagesFrom, readMeta } from './open-document.ts';
import type { ReadingWord, ReadingWords, readingApi } from './reading.contract.ts';

/** A page of words is at most some hundred kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const unpack = promisify(gunzip);

/** The words of pages with their boxes, for selecting, copying and highlighting. */
export async function readWords(ctx: Context, { id, page, size }: ParsedInputOf<typeof readingApi.words>) {
  const open = await openDocument(ctx, id);
  return { page: open?.content.view === 'pages' ? await wordsOf(ctx, open, { page, size }) : [] };
}

/** The same of a document that is open. */
export async function wordsOf(
  ctx: Context,
  { content, readable }: OpenContent,
  { page, size }: { page: number; size: number },
): Promise<ReadingWords[]> {
  const { words: offsets } = await readMeta(ctx, content);
  const wanted = pagesFrom(page, size, Math.min(readable, offsets.length - 1));
  const [from = 0, to = 0] = [offsets[page - 1], offsets[page - 1 + wanted.length]];
  if (wanted.length === 0 || to <= from) return [];
  const { stream } = await ctx.storage.get(derivedKeys(content).words, {
    start: from,
    end: to - 1,
  });
  const packed = await buffer(stream);
  const linesOf = async (number: number) => {
    const [start = 0, end = 0] = [offsets[number - 1], offsets[number]];
    const bytes = await unpack(packed.subarray(start - from, end - from), {
      maxOutputLength: MAX_BYTES,
    });
    return JSON.parse(bytes.toString()) as ReadingWord[][];
  };
  return Promise.all(wanted.map(async (number) => ({ page: number, lines: await linesOf(number) })));
}
