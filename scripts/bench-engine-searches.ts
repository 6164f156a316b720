/** Measures the searches of an engine: finding and counting, then ranking by the texts as the site does. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { hasPhrase, parseQuery } from '#modules/search/query/parse-query.ts';
import { newReadBudget, rankByFullText } from '#modules/search/query/rank-by-full-text.ts';
import { rankLiteralTitlesFirst } from '#modules/search/query/rank-literal-titles-first.ts';
import { parseSearchFilters, selectablePeriodStarts } from '#modules/search/query/search-filters.ts';
import type { FindRequest, FindResult } from '#modules/search/search-engine.ts';
import type { Context } from '#platform/server/context.ts';
import type { BenchEngine } from './bench-engine.ts';
import { median, percentile } from './bench-report.ts';
import { type BenchReport, filterInput, LIMIT_MS, makeQueries, SEARCH_INPUT } from './bench-search-queries.ts';
import { processorSeconds } from './processor-time.ts';

/** As in `searchDocuments`. */
const RERANK_COUNT = 20;
const PHRASE_BATCH_SIZE = 40;
const MAX_PHRASE_CANDIDATES = 160;
/** After the newest document of the corpus; the same in all runs, so that their results can be compared. */
const NOW = Date.parse('2026-11-02T00:00:00Z');

export const fixedTime = (ctx: Context): Context => ({ ...ctx, now: () => new Date(NOW) });

export async function makeRequest(ctx: Context, engine: BenchEngine, wd: string, input: object): Promise<FindRequest> {
  const query = await parseQuery(wd, new Map());
  return {
    query,
    viewer: { isManager: false, userId: null },
    filters: await parseSearchFilters(ctx, { ...SEARCH_INPUT, ...input, wd }),
    sort: 'default',
    limit: hasPhrase(query) && !engine.hasPositions ? MAX_PHRASE_CANDIDATES : RERANK_COUNT,
    periodStarts: selectablePeriodStarts(ctx),
    collapsesTwins: false,
  };
}

export const findWithEngine = (engine: BenchEngine, request: FindRequest): Promise<FindResult> =>
  engine.find(request, NOW);

/** Reads texts until the result page is full, as `searchDocuments` does. Returns the number of results on the page. */
async function rankByTexts(ctx: Context, { query }: FindRequest, candidates: FindResult['candidates']) {
  const budget = newReadBudget();
  const batchSize = hasPhrase(query) ? PHRASE_BATCH_SIZE : RERANK_COUNT;
  let resultCount = 0;
  for (let from = 0; from < candidates.length && resultCount < SEARCH_INPUT.size; from += batchSize) {
    const batch = candidates.slice(from, from + batchSize);
    resultCount += (await rankByFullText(ctx, query, batch, { isOrdered: false, budget })).length;
  }
  return resultCount;
}

/** What a search counted, in a form that can be compared with that of another engine. */
const countsOf = ({ total, isRelaxed, facets }: FindResult): string =>
  JSON.stringify([total, isRelaxed, Object.entries(facets).map(([name, counts]) => [name, [...counts].sort()])]);

type SearchedIndex = {
  ctx: Context;
  engine: BenchEngine;
  /** The site's index ranks literal titles itself. */
  isSiteIndex: boolean;
  /** The data folder. */
  folder: string;
};

async function measureSearch({ ctx, engine, isSiteIndex }: SearchedIndex, request: FindRequest) {
  const startedAt = performance.now();
  const result = await findWithEngine(engine, request);
  const candidates = isSiteIndex
    ? result.candidates
    : (await rankLiteralTitlesFirst(ctx, request.query, result.candidates)).slice(0, request.limit);
  const candidatesAt = performance.now();
  const resultCount = await rankByTexts(ctx, request, candidates);
  const endedAt = performance.now();
  return { result, resultCount, findMs: candidatesAt - startedAt, searchMs: endedAt - startedAt };
}

/** Returns the figures of the queries of one kind, and what each of them counted. */
async function measureKind(index: SearchedIndex, queries: readonly string[], input: object) {
  const searches = [];
  const processorSecondsBefore = processorSeconds(index.folder);
  for (const wd of queries)
    searches.push(await measureSearch(index, await makeRequest(index.ctx, index.engine, wd, input)));
  const processorSecondsUsed = processorSeconds(index.folder) - processorSecondsBefore;
  const findTimes = searches.map(({ findMs }) => findMs);
  const searchTimes = searches.map(({ searchMs }) => searchMs);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const figures = {
    queries: queries.length,
    hits_mean: mean(searches.map(({ result }) => result.total)),
    results_mean: mean(searches.map(({ resultCount }) => resultCount)),
    find_p50_ms: median(findTimes),
    find_p95_ms: percentile(findTimes, 0.95),
    p50_ms: median(searchTimes),
    p95_ms: percentile(searchTimes, 0.95),
    processor_ms_mean: (processorSecondsUsed * 1000) / queries.length,
    limit_ms: LIMIT_MS,
    load: loadavg()[0] ?? 0,
  };
  return { figures, counts: searches.map(({ result }) => countsOf(result)) };
}

/** The site's index writes its counts to `countsFile`; those of other engines are compared with them. */
export async function measureEngineSearches(
  index: SearchedIndex,
  { name, documentCount, countsFile }: { name: string; documentCount: number; countsFile: string },
  report: BenchReport,
): Promise<void> {
  const siteCounts: Record<string, string[]> =
    !index.isSiteIndex && existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : {};
  const countsByKind: Record<string, string[]> = {};
  const warmUp = await makeRequest(index.ctx, index.engine, '开始', {});
  await measureSearch(index, warmUp);
  for (const [kind, queries] of Object.entries(makeQueries(documentCount)))
    for (const [suffix, input] of [
      ['', {}],
      [', filtered', filterInput],
    ] as const) {
      const { figures, counts } = await measureKind(index, queries, input);
      const expectedCounts = siteCounts[kind + suffix];
      const comparison = expectedCounts && {
        different_counts: counts.filter((each, at) => each !== expectedCounts[at]).length,
      };
      report(`${name}: ${kind}${suffix}`, { ...figures, ...comparison }, figures.p95_ms <= LIMIT_MS);
      countsByKind[kind + suffix] = counts;
    }
  if (index.isSiteIndex) writeFileSync(countsFile, JSON.stringify(countsByKind));
}
