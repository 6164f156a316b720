import type { Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { snippetOf } from './find-snippet.ts';
import { openDocument } from './open-document.ts';
import type { readingApi } from './reading.contract.ts';

/** So many characters are looked through before others get their turn. */
const SLICE = 200_000;

type Found = { page: number; count: number; snippet: string };

/** All hits within the pages the caller may read. */
export async function findInDocument(ctx: Context, { id, wd }: ParsedInputOf<typeof readingApi.find>) {
  const open = await openDocument(ctx, id);
  if (!open) return { total: 0, pending: true, page: [] };
  const { content, readable } = open;
  const text = await openText(ctx, derivedKeys(content).text);
  if (!text) return { total: 0, pending: content.state !== 'ready', page: [] };
  const needle = normalizeWithOffsets(wd).text;
  const found: Found[] = [];
  let [page, total, seen] = [0, 0, 0];
  for await (const body of pagesOf(text, readable)) {
    page += 1;
    const hits = findOccurrences(normalizeWithOffsets(body), needle);
    const [first] = hits;
    total += hits.length;
    if (first) found.push({ page, count: hits.length, snippet: snippetOf(body, first) });
    seen += body.length;
    if (seen < SLICE) continue;
    seen = 0;
    await breathe();
  }
  return { total, pending: false, page: found };
}

async function openText(ctx: Context, key: string): Promise<Readable | null> {
  try {
    return (await ctx.storage.get(key)).stream;
  } catch (error) {
    if (error instanceof StorageNotFound) return null;
    throw error;
  }
}

/** The text page by page, not read further than the pages that may be read. */
async function* pagesOf(stream: Readable, most: number): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  let rest = '';
  let given = 0;
  for await (const chunk of stream as AsyncIterable<string>) {
    const parts = (rest + chunk).split('\f');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (given === most) return;
      given += 1;
      yield part;
    }
  }
  if (given < most) yield rest;
}
