/**
 * `npm run bench:near-copies [-- --documents 100000 --pages 2 --copies 200 --data <folder>]`: plants copies of generated
 * documents among others, looks each up, and prints how many are found, how many other files are reported, and the time of a
 * look-up. With `--data` the documents stay in the folder: an interrupted run continues there, and a later one inserts none.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import traditional from 'opencc-js/dict/TSCharacters';
import type pg from 'pg';
import { findSimilarFiles } from '#modules/near-copy/find-near-copies.ts';
import type { CopyKind } from '#modules/near-copy/near-copy.contract.ts';
import { encodeTextHashes, keysOf } from '#modules/near-copy/store-sketch.ts';
import { createTextSketch, MIN_TEXT_LENGTH } from '#modules/near-copy/text-sketch.ts';
import { seededRandom } from '#modules/search/golden-queries.fixture.ts';
import type { Context } from '#platform/server/context.ts';
import { benchReport, percentile } from './bench-report.ts';
import { copyRows, makeDocument } from './bench-search-corpus.ts';
import { withTemporarySite } from './temporary-site.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    pages: { type: 'string', default: '10' },
    copies: { type: 'string', default: '200' },
    data: { type: 'string' },
  },
});
const documentCount = Number(values.documents);
const pageCount = Number(values.pages);
const copyCount = Math.min(Number(values.copies), documentCount);
const BATCH_SIZE = 1_000;
const MAX_LOOKUP_MS = 50;
const MIN_RECALL = 0.95;
/** Of the reported files, the share that are copies. */
const MIN_PRECISION = 0.99;

const traditionalOf = new Map(traditional.split('|').map((pair) => pair.split(' ').reverse() as [string, string]));
const textOf = (number: number) => makeDocument(number, pageCount).pages.join('\f');

/** Replaces a share of the characters, evenly distributed. */
function misread(text: string, share: number): string {
  const next = seededRandom(text.length);
  return Array.from(text, (character) => (next() < share ? '错' : character)).join('');
}

/** What was done to a copy, and how the copy should be reported. */
const copies: Record<string, { change: (text: string) => string; kinds: CopyKind[] }> = {
  resaved: { change: (text) => text.replace(/[，。\n\f]/g, '\n '), kinds: ['equal'] },
  retyped: { change: (text) => misread(text, 0.005), kinds: ['equal', 'similar'] },
  recognized: { change: (text) => misread(text, 0.02), kinds: ['equal', 'similar'] },
  watermarked: {
    change: (text) => text.replaceAll('\f', '本文件由某某文库网提供下载\f'),
    kinds: ['equal', 'similar', 'contains'],
  },
  traditional: {
    change: (text) => Array.from(text, (character) => traditionalOf.get(character) ?? character).join(''),
    kinds: ['equal'],
  },
  cut: { change: (text) => text.slice(0, Math.floor(text.length / 2)), kinds: ['contained'] },
  chapter: {
    change: (text) => text.slice(Math.floor(text.length * 0.4), Math.floor(text.length * 0.6)),
    kinds: ['contained'],
  },
};

/** Rows of a batch as lines for `copy`. */
function buildRows(from: number, to: number) {
  const rows = { renditions: [] as string[], sketches: [] as string[], keys: [] as string[] };
  for (let number = from; number < to; number += 1) {
    const id = number + 1;
    const sketch = createTextSketch(textOf(number));
    rows.renditions.push(`${id}\t${id.toString(16).padStart(64, '0')}\ttxt\t1\tready\t1\n`);
    rows.sketches.push(`${id}\t1\t0\t\\\\x${encodeTextHashes(sketch).toString('hex')}\t{}\n`);
    for (const key of new Set(keysOf({ text: sketch, pictures: [] }))) rows.keys.push(`${key}\t${id}\n`);
  }
  return rows;
}

/** Inserts the missing sketches, each batch in a transaction, so that an interrupted run continues with the next batch. */
async function insertSketches(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>('select count(*) from near_copy_sketches');
  const existingCount = Number(rows[0]?.count);
  if (existingCount > documentCount) throw new Error(`the folder has ${existingCount} documents`);
  const client = await pool.connect();
  try {
    for (let from = existingCount; from < documentCount; from += BATCH_SIZE) {
      const to = Math.min(from + BATCH_SIZE, documentCount);
      const rows = buildRows(from, to);
      await client.query('begin');
      // The rows refer to rows of the same batch, so the checks of foreign keys would only take time.
      await client.query('set local session_replication_role = replica');
      await copyRows(client, 'renditions (id, hash, format, size, state, version)', rows.renditions);
      await copyRows(
        client,
        'near_copy_sketches (rendition_id, version, recognized_pages, text_hashes, picture_hashes)',
        rows.sketches,
      );
      await copyRows(client, 'near_copy_keys (key, rendition_id)', rows.keys);
      await client.query('commit');
    }
    await client.query('analyze near_copy_keys, near_copy_sketches');
  } finally {
    client.release(true);
  }
  return documentCount - existingCount;
}

/** Milliseconds to sketch a document. */
function measureSketch(): number {
  const texts = Array.from({ length: Math.min(200, documentCount) }, (_, number) => textOf(number));
  const startedAt = performance.now();
  for (const text of texts) createTextSketch(text);
  return (performance.now() - startedAt) / texts.length;
}

type Tally = { correct: number; reported: number; wrong: number; lookupMs: number[] };

async function lookUp(ctx: Context, original: number, text: string, kinds: CopyKind[], tally: Tally): Promise<void> {
  const sketch = { text: createTextSketch(text), pictures: [] };
  const startedAt = performance.now();
  const hits = await findSimilarFiles(ctx, sketch, 0);
  tally.lookupMs.push(performance.now() - startedAt);
  tally.reported += hits.length;
  tally.wrong += hits.filter(({ renditionId }) => renditionId !== original + 1).length;
  if (hits.some(({ renditionId, kind }) => renditionId === original + 1 && kinds.includes(kind))) tally.correct += 1;
}

const durations = ({ lookupMs }: Tally) => ({
  p50Ms: percentile(lookupMs, 0.5),
  p95Ms: percentile(lookupMs, 0.95),
  maxMs: Math.max(0, ...lookupMs),
});

const folder = values.data ?? (await mkdtemp(path.join(os.tmpdir(), 'douku-bench-')));
const { report, exitCode } = benchReport();
try {
  await withTemporarySite(folder, { runJobs: false }, async ({ ctx, pool }) => {
    const startedAt = performance.now();
    const insertedCount = await insertSketches(pool);
    const insertSeconds = (performance.now() - startedAt) / 1000;
    const corpus = { documents: documentCount, pages: pageCount, inserted: insertedCount, insertSeconds };
    report('near-copy sketch', { ...corpus, sketchMs: measureSketch() }, true);
    for (const [name, { change, kinds }] of Object.entries(copies)) {
      // Shorter copies are not compared.
      if (change(textOf(0)).length < 1.5 * MIN_TEXT_LENGTH) continue;
      const tally: Tally = { correct: 0, reported: 0, wrong: 0, lookupMs: [] };
      for (let index = 0; index < copyCount; index += 1) {
        const original = Math.floor((index * documentCount) / copyCount);
        await lookUp(ctx, original, change(textOf(original)), kinds, tally);
      }
      const recall = tally.correct / copyCount;
      const precision = 1 - tally.wrong / Math.max(1, tally.reported);
      const times = durations(tally);
      const isWithinLimits = recall >= MIN_RECALL && precision >= MIN_PRECISION && times.p95Ms <= MAX_LOOKUP_MS;
      report(`near-copies ${name}`, { recall, precision, ...times }, isWithinLimits);
    }
    const unrelatedTally: Tally = { correct: 0, reported: 0, wrong: 0, lookupMs: [] };
    for (let index = 0; index < copyCount; index += 1)
      await lookUp(ctx, -1, textOf(documentCount + index), [], unrelatedTally);
    const times = durations(unrelatedTally);
    const { reported } = unrelatedTally;
    report('near-copies unrelated', { reported, ...times }, reported === 0 && times.p95Ms <= MAX_LOOKUP_MS);
  });
} finally {
  if (values.data === undefined) await rm(folder, { recursive: true, force: true });
}
process.exitCode = exitCode();
