/** The documents of the search bench as terms, computed once for each data folder, because segmentation takes longest. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type pg from 'pg';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { readRenditionText } from '#modules/recognition/read-rendition-text.ts';
import { buildIndexEntry, type IndexEntry } from '#modules/search/index/build-index-entry.ts';
import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { CJK_LETTER, splitTextRuns, stem } from '#modules/text/split-text-runs.ts';
import { hashWord } from '#modules/text/word-hash.ts';
import type { Context } from '#platform/server/context.ts';

const CHUNK_DOCUMENTS = 1_000;
/** Stands between texts that no phrase spans. */
const SEPARATOR_KEY = 0;

export type DocumentFields = {
  scope: number;
  userId: number;
  ext: string;
  language: string;
  price: number;
  pages: number;
  size: number;
  createdAt: number;
  quality: number;
  categories: number[];
};
/** `positions`: the keys of all character pairs and Latin words in reading order. */
export type EngineDocument = { entry: IndexEntry; fields: DocumentFields; positions: Uint32Array };

/** The form of a document in a chunk file: typed arrays are read faster than a map. */
type PackedDocument = {
  entry: Omit<IndexEntry, 'terms'>;
  keys: Uint32Array;
  fieldBits: Uint8Array;
  fields: DocumentFields;
  positions: Uint32Array;
};

/** The keys of a normalized text in reading order: of a phrase, and of each text that may contain it. */
export function positionKeys(normalizedText: string): number[] {
  const keys: number[] = [];
  let last = 0;
  for (const { kind, start, end } of splitTextRuns(normalizedText)) {
    const gap = normalizedText.slice(last, start);
    if (last > 0 && gap !== '' && gap !== ' ') keys.push(SEPARATOR_KEY);
    const run = normalizedText.slice(start, end);
    if (kind !== CJK_LETTER) keys.push(hashWord(stem(run)));
    else if (run.length === 1) keys.push(hashWord(run));
    else for (let at = 0; at < run.length - 1; at += 1) keys.push(hashWord(run.slice(at, at + 2)));
    last = end;
  }
  return keys;
}

type Row = DocumentFields & {
  id: number;
  title: string;
  keywords: string;
  description: string;
  username: string;
  categoryTitles: string[];
  hash: string;
  format: FileFormat;
  version: number;
};

const SELECT_DOCUMENTS = `
  select d.id::float8 as id, d.title, d.keywords, d.description, u.username,
    search_scope(d.deleted_at, d.visibility, d.status) as scope, d.user_id::float8 as "userId", d.ext, d.language,
    d.price, r.pages, d.size::float8 as size, (extract(epoch from d.created_at) * 1000)::float8 as "createdAt",
    search_quality(d.view_count, d.download_count, d.favorite_count, d.score) as quality,
    array(select category_id::float8 from document_categories where document_id = d.id order by 1) as categories,
    array(select c.title from document_categories dc join categories c on c.id = dc.category_id
      where dc.document_id = d.id) as "categoryTitles",
    r.hash, r.format, r.version
  from documents d join users u on u.id = d.user_id join renditions r on r.id = d.rendition_id
  order by d.id limit $1 offset $2`;

async function packDocument(ctx: Context, row: Row): Promise<PackedDocument> {
  const { id, title, keywords, description, username, categoryTitles, hash, format, version } = row;
  // Documents of the bench have no scanned pages.
  const text = await readRenditionText(ctx, { id: 0, hash, format, version, recognized_pages: 0 });
  const source = { id, title, keywords, description, username, categories: categoryTitles, text };
  const { terms, ...entry } = await buildIndexEntry(source);
  const texts = [title, ...keywords.split(','), description, ...text.split('\f')];
  const positions = texts.flatMap((each) => [...positionKeys(normalizeForSearch(each)), SEPARATOR_KEY]);
  const { scope, userId, ext, language, price, pages, size, createdAt, quality, categories } = row;
  return {
    entry,
    keys: Uint32Array.from(terms.keys()),
    fieldBits: Uint8Array.from(terms.values()),
    fields: { scope, userId, ext, language, price, pages, size, createdAt, quality, categories },
    positions: Uint32Array.from(positions),
  };
}

const chunkFile = (folder: string, chunk: number) => path.join(folder, `${String(chunk).padStart(4, '0')}.bin`);

/**
 * Writes the missing chunk files of the first `count` documents until the deadline. Returns the number of documents that
 * were written, and whether all chunk files exist.
 */
export async function cacheDocumentTerms(
  site: { ctx: Context; pool: pg.Pool },
  { folder, count, deadline }: { folder: string; count: number; deadline: number },
): Promise<{ writtenCount: number; isComplete: boolean }> {
  mkdirSync(folder, { recursive: true });
  let writtenCount = 0;
  for (let chunk = 0; chunk * CHUNK_DOCUMENTS < count; chunk += 1) {
    const file = chunkFile(folder, chunk);
    if (existsSync(file)) continue;
    if (Date.now() > deadline) return { writtenCount, isComplete: false };
    const offset = chunk * CHUNK_DOCUMENTS;
    const limit = Math.min(CHUNK_DOCUMENTS, count - offset);
    const { rows } = await site.pool.query<Row>(SELECT_DOCUMENTS, [limit, offset]);
    if (rows.length < limit) throw new Error('the data folder has too few documents: run bench:search first');
    const packedDocuments: PackedDocument[] = [];
    for (const row of rows) packedDocuments.push(await packDocument(site.ctx, row));
    // A killed process leaves no incomplete chunk file.
    writeFileSync(`${file}.part`, serialize(packedDocuments));
    renameSync(`${file}.part`, file);
    writtenCount += rows.length;
  }
  return { writtenCount, isComplete: true };
}

/** Yields batches of the first `count` documents, without the first `start`. */
export function* readDocumentBatches(
  folder: string,
  { start, count, batchSize }: { start: number; count: number; batchSize: number },
): Generator<EngineDocument[]> {
  for (let chunk = Math.floor(start / CHUNK_DOCUMENTS); chunk * CHUNK_DOCUMENTS < count; chunk += 1) {
    const packedDocuments: PackedDocument[] = deserialize(readFileSync(chunkFile(folder, chunk)));
    const offset = chunk * CHUNK_DOCUMENTS;
    const end = Math.min(packedDocuments.length, count - offset);
    for (let from = Math.max(0, start - offset); from < end; from += batchSize)
      yield packedDocuments.slice(from, Math.min(from + batchSize, end)).map(({ entry, keys, fieldBits, ...rest }) => ({
        ...rest,
        entry: { ...entry, terms: new Map(Array.from(keys, (key, at) => [key, fieldBits[at] ?? 0])) },
      }));
  }
}
