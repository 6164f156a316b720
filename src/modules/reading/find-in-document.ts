import type { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { readRecognizedTexts } from '#modules/recognition/recognized-text.ts';
import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { loadReadableDocument } from './load-readable-document.ts';
import type { readingApi } from './reading.contract.ts';
import { snippetAroundHit } from './snippet-around-hit.ts';

/** Characters that are searched before other requests run. */
const SLICE_CHARS = 200_000;

type PageHits = { page: number; count: number; snippet: string };

/** Searches only pages that the caller may read. */
export async function findInDocument(ctx: Context, { id, wd }: ParsedInputOf<typeof readingApi.find>) {
  const document = await loadReadableDocument(ctx, id);
  if (!document) return { total: 0, pending: true, page: [] };
  const { rendition, readable } = document;
  const text = await openText(ctx, renditionStorageKeys(rendition).text);
  if (!text) return { total: 0, pending: rendition.state !== 'ready', page: [] };
  const recognizedTexts = await readRecognizedTexts(ctx, rendition);
  const needle = normalizeWithOffsets(wd).text;
  const pageHits: PageHits[] = [];
  let [page, total, searchedChars] = [0, 0, 0];
  for await (const extractedText of splitStreamIntoPages(text, readable)) {
    page += 1;
    const body = recognizedTexts.get(page) || extractedText;
    const hits = findOccurrences(normalizeWithOffsets(body), needle);
    const [first] = hits;
    total += hits.length;
    if (first) pageHits.push({ page, count: hits.length, snippet: snippetAroundHit(body, first) });
    searchedChars += body.length;
    if (searchedChars < SLICE_CHARS) continue;
    searchedChars = 0;
    await yieldToEventLoop();
  }
  return { total, pending: false, page: pageHits };
}

async function openText(ctx: Context, key: string): Promise<Readable | null> {
  try {
    return (await ctx.storage.get(key)).stream;
  } catch (error) {
    if (error instanceof StorageNotFound) return null;
    throw error;
  }
}

/** Stops reading the stream after the last readable page. */
async function* splitStreamIntoPages(stream: Readable, maxPages: number): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  let rest = '';
  let pageCount = 0;
  for await (const chunk of stream as AsyncIterable<string>) {
    const parts = (rest + chunk).split('\f');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (pageCount === maxPages) return;
      pageCount += 1;
      yield part;
    }
  }
  if (pageCount < maxPages) yield rest;
}
