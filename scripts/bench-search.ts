/**
 * `npm run bench:search [-- --documents 100000 --data <folder>]`: measures relevance on the golden set, then searches in a
 * generated corpus. The folder of `--data` is reused by later runs, because creating the corpus takes longest.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { publishGolden, relevanceMetrics, runGoldenQueries } from '#modules/search/golden-queries.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { postgresEngine } from '#modules/search/postgres/postgres-engine.ts';
import { searchDocuments } from '#modules/search/search-documents.ts';
import type { Context } from '#platform/server/context.ts';
import { deleteRetiredSegments } from './bench-engine-postgres.ts';
import { benchReport, percentile } from './bench-report.ts';
import { insertSampleDocuments, PAGES } from './bench-search-corpus.ts';
import { measureSearches } from './bench-search-queries.ts';
import { withTemporarySite } from './temporary-site.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    data: { type: 'string' },
    /** Minutes after which filling stops; the next run continues. */
    minutes: { type: 'string', default: '600' },
    golden: { type: 'boolean', default: false },
  },
});
const { report, exitCode } = benchReport();
const folder = values.data ?? (await mkdtemp(path.join(tmpdir(), 'douku-search-')));
const documentCount = Number(values.documents);
const deadline = Date.now() + Number(values.minutes) * 60_000;
const BATCH_SIZE = 1_000;
const INPUT = { page: 1, size: 10, sort: 'default', collapse_twins: true };

async function benchRelevance() {
  const dataDir = path.join(folder, `golden-${process.pid}`);
  await withTemporarySite(dataDir, { runJobs: false }, async ({ ctx }) => {
    await publishGolden(ctx);
    await indexQueuedDocuments(ctx);
    const times: number[] = [];
    const rankedQueries = await runGoldenQueries(async (wd) => {
      const startedAt = performance.now();
      const result = await searchDocuments(ctx, { ...INPUT, wd });
      times.push(performance.now() - startedAt);
      return result;
    });
    const { ndcg, hit_at_1, ...rest } = relevanceMetrics(rankedQueries);
    const figures = { ...rest, ndcg_at_10: ndcg, hit_at_1, p95_ms: percentile(times, 0.95) };
    report('golden set', { ...figures, limit: 0.95 }, ndcg >= 0.95 && hit_at_1 >= 0.95);
    for (const { wd, rank, title } of rankedQueries.filter((query) => query.rank !== 1))
      console.log(`  ${wd} → ${rank === 0 ? 'not among ten' : rank}: ${title}`);
  });
  await rm(dataDir, { recursive: true, force: true });
}

const countRows = async (pool: pg.Pool, table: string) =>
  Number((await pool.query(`select count(*) as total from ${table}`)).rows[0].total);

/** Adds documents until there are `count`; they are not indexed yet. */
async function fillCorpus(ctx: Context, pool: pg.Pool, count: number) {
  const { rows } = await pool.query('select id from categories where parent_id is not null');
  const categories = rows.map(({ id }) => Number(id));
  for (let from = await countRows(pool, 'documents'); from < count && Date.now() < deadline; ) {
    const to = Math.min(from + BATCH_SIZE, count);
    const client = await pool.connect();
    await client.query('set statement_timeout = 0; begin');
    await insertSampleDocuments(client, path.join(ctx.config.dataDir, 'storage'), { from, to, categories });
    await client.query('commit');
    client.release();
    from = to;
  }
}

/** Indexes the queued documents as the site does and reports the rate. */
async function benchIndexing(ctx: Context, name: string) {
  const startedAt = performance.now();
  const indexedCount = await indexQueuedDocuments(ctx, () => Date.now() > deadline);
  if (indexedCount < BATCH_SIZE) return;
  const seconds = (performance.now() - startedAt) / 1000;
  const rate = (indexedCount * PAGES) / seconds;
  report(`${name}: indexing`, { documents: indexedCount, seconds, pages_per_second: rate, limit: 500 }, rate >= 500);
}

async function benchIndexSize(ctx: Context, pool: pg.Pool, name: string) {
  await deleteRetiredSegments(ctx, pool);
  const { documents, size, textSize } = await postgresEngine.measure(ctx);
  const ratio = size / textSize;
  const MB = 1024 * 1024;
  report(
    `${name}: index size`,
    { documents, index_mb: size / MB, text_mb: textSize / MB, ratio, limit: 1.5 },
    // In a small index the space of merged segments dominates.
    ratio <= 1.5 || documents < 100_000,
  );
}

if (!values.data || values.golden) await benchRelevance();
await withTemporarySite(path.join(folder, 'corpus'), { runJobs: false }, async ({ ctx, pool }) => {
  const p95ByCount: Record<string, number>[] = [];
  for (const count of new Set([10_000, documentCount])) {
    if ((await countRows(pool, 'documents')) > count) continue;
    await fillCorpus(ctx, pool, count);
    await benchIndexing(ctx, `${count} documents`);
    if (Date.now() > deadline) {
      console.log('time limit reached; run again with the same --data to continue');
      return;
    }
    await pool.query('vacuum (analyze) documents, renditions, search_documents, search_suggestions');
    await benchIndexSize(ctx, pool, `${count} documents`);
    p95ByCount.push(await measureSearches(ctx, `${count} documents`, report));
  }
  const [small, large] = p95ByCount;
  if (small && large)
    for (const [kind, ms] of Object.entries(large))
      report(`${kind}: from 10,000 to ${documentCount}`, { factor: ms / (small[kind] ?? ms) }, true);
});
if (!values.data) await rm(folder, { recursive: true, force: true });
process.exitCode = exitCode();
