/**
 * `npm run bench:search [-- --documents 100000 --data <folder>]`: the golden set, then searches over
 * a generated corpus. A folder that is named is kept and used again: making it takes longest.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { publishGolden, rankQueries, relevanceMetrics } from '#modules/search/golden.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { searchDocuments } from '#modules/search/search.ts';
import { searchEngineOf } from '#modules/search/search-engine-of.ts';
import type { Context } from '#platform/server/context.ts';
import { benchReport, percentile } from './bench-report.ts';
import { addDocuments, PAGES } from './bench-search-corpus.ts';
import { measureSearches } from './bench-search-queries.ts';
import { withSite } from './temporary-site.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    data: { type: 'string' },
    /** Minutes after which filling stops; it goes on in the next run. */
    minutes: { type: 'string', default: '600' },
    golden: { type: 'boolean', default: false },
  },
});
const { report, exitCode } = benchReport();
const folder = values.data ?? (await mkdtemp(path.join(tmpdir(), 'douku-search-')));
const most = Number(values.documents);
const until = Date.now() + Number(values.minutes) * 60_000;
const CHUNK = 1_000;
const INPUT = { page: 1, size: 10, sort: 'default' };

async function golden() {
  const dataDir = path.join(folder, `golden-${process.pid}`);
  await withSite(dataDir, { runJobs: false }, async ({ ctx }) => {
    await publishGolden(ctx);
    await indexQueuedDocuments(ctx);
    const times: number[] = [];
    const judged = await rankQueries(async (wd) => {
      const began = performance.now();
      const answer = await searchDocuments(ctx, { ...INPUT, wd });
      times.push(performance.now() - began);
      return answer;
    });
    const { ndcg, hit_at_1, ...rest } = relevanceMetrics(judged);
    const figures = { ...rest, ndcg_at_10: ndcg, hit_at_1, p95_ms: percentile(times, 0.95) };
    report('golden set', { ...figures, limit: 0.95 }, ndcg >= 0.95 && hit_at_1 >= 0.95);
    for (const { wd, rank, title } of judged.filter((each) => each.rank !== 1))
      console.log(`  ${wd} → ${rank === 0 ? 'not among ten' : rank}: ${title}`);
  });
  await rm(dataDir, { recursive: true, force: true });
}

const countOf = async (pool: pg.Pool, table: string) =>
  Number((await pool.query(`select count(*) as total from ${table}`)).rows[0].total);

/** Documents up to a number; their text is not searchable yet. */
async function fill(ctx: Context, pool: pg.Pool, wanted: number) {
  const { rows } = await pool.query('select id from categories where parent_id is not null');
  const categories = rows.map(({ id }) => Number(id));
  for (let from = await countOf(pool, 'documents'); from < wanted && Date.now() < until; ) {
    const to = Math.min(from + CHUNK, wanted);
    const client = await pool.connect();
    await client.query('set statement_timeout = 0; begin');
    await addDocuments(client, path.join(ctx.config.dataDir, 'storage'), { from, to, categories });
    await client.query('commit');
    client.release();
    from = to;
  }
}

/** Takes up what waits, as the site does, and tells how fast that goes. */
async function index(ctx: Context, name: string) {
  const began = performance.now();
  const done = await indexQueuedDocuments(ctx, () => Date.now() > until);
  if (done < CHUNK) return;
  const seconds = (performance.now() - began) / 1000;
  const rate = (done * PAGES) / seconds;
  report(`${name}: indexing`, { documents: done, seconds, pages_per_second: rate, limit: 500 }, rate >= 500);
}

/** Once what was merged is gone; the space it took up counts as long as it is not given back. */
async function sizes(ctx: Context, pool: pg.Pool, name: string) {
  const engine = searchEngineOf(ctx);
  do {
    await sleep(1_000);
    await engine.compact(ctx);
  } while ((await countOf(pool, 'search_segments where retired_at is not null')) > 0);
  await pool.query('vacuum search_blocks');
  const { documents, size, textSize } = await engine.measure(ctx);
  const ratio = size / textSize;
  const MB = 1024 * 1024;
  report(
    `${name}: index size`,
    { documents, index_mb: size / MB, text_mb: textSize / MB, ratio, limit: 1.5 },
    // A small index still holds the room its merges took.
    ratio <= 1.5 || documents < 100_000,
  );
}

if (!values.data || values.golden) await golden();
await withSite(path.join(folder, 'corpus'), { runJobs: false }, async ({ ctx, pool }) => {
  const slopes: Record<string, number>[] = [];
  for (const wanted of [10_000, most].filter((each, at, all) => all.indexOf(each) === at)) {
    if ((await countOf(pool, 'documents')) > wanted) continue;
    await fill(ctx, pool, wanted);
    await index(ctx, `${wanted} documents`);
    if (Date.now() > until) {
      console.log('time is up; run it again with the same --data to go on');
      return;
    }
    await pool.query('vacuum (analyze) documents, renditions, search_documents, search_suggestions');
    await sizes(ctx, pool, `${wanted} documents`);
    slopes.push(await measureSearches(ctx, `${wanted} documents`, report));
  }
  const [small, large] = slopes;
  if (small && large)
    for (const [kind, ms] of Object.entries(large))
      report(`${kind}: from 10,000 to ${most}`, { factor: ms / (small[kind] ?? ms) }, true);
});
if (!values.data) await rm(folder, { recursive: true, force: true });
process.exitCode = exitCode();
