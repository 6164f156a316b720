/**
 * `npm run bench:near-copies [-- --documents 100000 --copies 200]`: plants copies of generated documents among others, looks
 * each up, and prints how many are found, how many other files are reported, and the time of a look-up.
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
import { benchReport } from './bench-report.ts';
import { makeDocument, PAGES } from './bench-search-corpus.ts';
import { withTemporarySite } from './temporary-site.ts';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, copies: { type: 'string', default: '200' } },
});
const [documentCount, copyCount] = [Number(values.documents), Number(values.copies)];
const BATCH_SIZE = 1_000;
const MAX_LOOKUP_MS = 50;
const MIN_RECALL = 0.95;
/** Of the reported files, the share that are copies. */
const MIN_PRECISION = 0.99;

const traditionalOf = new Map(traditional.split('|').map((pair) => pair.split(' ').reverse() as [string, string]));
const textOf = (number: number) => makeDocument(number).pages.join('\f');

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

async function insertSketches(pool: pg.Pool): Promise<number> {
  let sketchMs = 0;
  for (let from = 0; from < documentCount; from += BATCH_SIZE) {
    const sketches = Array.from({ length: Math.min(BATCH_SIZE, documentCount - from) }, (_, index) => {
      const text = textOf(from + index);
      const startedAt = performance.now();
      const sketch = createTextSketch(text);
      sketchMs += performance.now() - startedAt;
      return { id: from + index + 1, sketch };
    });
    const ids = sketches.map(({ id }) => id);
    await pool.query(
      `insert into renditions (id, hash, format, size, state, version) overriding system value
       select id, lpad(to_hex(id), 64, '0'), 'txt', 1, 'ready', 1 from unnest($1::bigint[]) id`,
      [ids],
    );
    await pool.query(
      `insert into near_copy_sketches (rendition_id, version, recognized_pages, text_hashes, picture_hashes)
       select id, 1, 0, hashes, '{}' from unnest($1::bigint[], $2::bytea[]) sketch (id, hashes)`,
      [ids, sketches.map(({ sketch }) => encodeTextHashes(sketch))],
    );
    const keys = sketches.flatMap(({ id, sketch }) =>
      [...new Set(keysOf({ text: sketch, pictures: [] }))].map((key) => ({ key, id })),
    );
    await pool.query('insert into near_copy_keys (key, rendition_id) select * from unnest($1::int[], $2::bigint[])', [
      keys.map(({ key }) => key),
      keys.map(({ id }) => id),
    ]);
  }
  await pool.query('analyze near_copy_keys, near_copy_sketches');
  return sketchMs / documentCount;
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

const percentile = (numbers: number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0;

const folder = await mkdtemp(path.join(os.tmpdir(), 'douku-bench-'));
const { report, exitCode } = benchReport();
try {
  await withTemporarySite(folder, { runJobs: false }, async ({ ctx, pool }) => {
    const sketchMs = await insertSketches(pool);
    report('near-copy sketch', { documents: documentCount, pages: PAGES, sketchMs }, true);
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
      const p95Ms = percentile(tally.lookupMs, 0.95);
      const passed = recall >= MIN_RECALL && precision >= MIN_PRECISION && p95Ms <= MAX_LOOKUP_MS;
      report(`near-copies ${name}`, { recall, precision, p50Ms: percentile(tally.lookupMs, 0.5), p95Ms }, passed);
    }
    const unrelated: Tally = { correct: 0, reported: 0, wrong: 0, lookupMs: [] };
    for (let index = 0; index < copyCount; index += 1)
      await lookUp(ctx, -1, textOf(documentCount + index), [], unrelated);
    report(
      'near-copies unrelated',
      { reported: unrelated.reported, p95Ms: percentile(unrelated.lookupMs, 0.95) },
      unrelated.reported === 0,
    );
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = exitCode();
