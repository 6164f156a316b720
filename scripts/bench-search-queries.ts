/** The measured searches, and the search of moredoc as baseline for the same words. */
import { sql } from 'drizzle-orm';
import { seededRandom } from '#modules/search/golden-queries.fixture.ts';
import { getSearchSuggestions } from '#modules/search/query/get-search-suggestions.ts';
import { searchDocuments } from '#modules/search/search-documents.ts';
import type { Context } from '#platform/server/context.ts';
import { type benchReport, median, percentile } from './bench-report.ts';
import { makeDocument } from './bench-search-corpus.ts';

export type BenchReport = ReturnType<typeof benchReport>['report'];

const ROUNDS = 60;
const BASELINE_ROUNDS = 8;
export const LIMIT_MS = 100;

/** Words that occur in at least a quarter of a sample of the documents. */
function findCommonWords(): string[] {
  const counts = new Map<string, number>();
  const sampleSize = 200;
  for (let index = 0; index < sampleSize; index += 1) {
    const { pages } = makeDocument(index * 37);
    for (const word of new Set(pages.join('').match(/\p{Script=Han}{2}/gu)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= sampleSize * 0.25).map(([word]) => word);
}

/** Queries of each kind, all different, so that no cache answers them. */
export function makeQueries(documentCount: number) {
  const next = seededRandom(4_711);
  const commonWords = findCommonWords();
  const randomDocument = () => makeDocument(Math.floor(next() * documentCount));
  const rareWord = () => randomDocument().keywords.split(',')[0] ?? '';
  const ordinaryWord = () => randomDocument().keywords.split(',')[1] ?? '';
  const phrase = () => {
    const page = randomDocument().pages[Math.floor(next() * 10)] ?? '';
    const line = page.split(/[，。\n]+/).find((text) => text.length >= 8) ?? page;
    return `"${line.slice(0, 6)}"`;
  };
  const commonWord = () => commonWords[Math.floor(next() * commonWords.length)] ?? '';
  const repeat = (make: () => string) => [...new Set(Array.from({ length: ROUNDS }, make))];
  return {
    'one common word': repeat(commonWord),
    'two words': repeat(() => `${ordinaryWord()} ${ordinaryWord()}`),
    'two common words': repeat(() => `${commonWord()} ${commonWord()}`),
    'a rare word': repeat(rareWord),
    'a phrase': repeat(phrase),
  };
}

export const SEARCH_INPUT = { page: 1, size: 10, sort: 'default', collapse_twins: true };
export const filterInput = { fee_type: 'free', ext: 'pdf', duration: 'year' };

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The queries of moredoc: a count and a page of rows, each word with LIKE in three columns. */
async function searchLikeMoredoc(ctx: Context, wd: string, operator: 'like' | 'ilike') {
  const words = wd.replaceAll('"', '').split(' ');
  const condition = sql.join(
    words.flatMap((word) =>
      ['title', 'keywords', 'description'].map((column) => sql`${sql.raw(column)} ${sql.raw(operator)} ${`%${word}%`}`),
    ),
    sql` or `,
  );
  await ctx.db.execute(sql`select count(*) from documents where ${condition}`);
  await ctx.db.execute(sql`select * from documents where ${condition} order by id desc limit 10`);
}

/** Returns the 95th percentile of each kind in milliseconds. */
export async function measureSearches(ctx: Context, name: string, report: BenchReport) {
  const documentCount = Number.parseInt(name, 10);
  const p95s: Record<string, number> = {};
  // The first search loads dictionaries.
  await searchDocuments(ctx, { ...SEARCH_INPUT, wd: '开始' });
  for (const [kind, queries] of Object.entries(makeQueries(documentCount))) {
    for (const [suffix, extraInput] of [
      ['', {}],
      [', filtered', filterInput],
    ] as const) {
      const times: number[] = [];
      let hitCount = 0;
      for (const wd of queries) {
        times.push(
          await measureMs(async () => {
            hitCount += (await searchDocuments(ctx, { ...SEARCH_INPUT, ...extraInput, wd })).total;
          }),
        );
      }
      const p95 = percentile(times, 0.95);
      if (!suffix) p95s[kind] = p95;
      const figures = { queries: times.length, hits_mean: hitCount / times.length };
      report(
        `${name}: ${kind}${suffix}`,
        { ...figures, p50_ms: median(times), p95_ms: p95, limit_ms: LIMIT_MS },
        p95 <= LIMIT_MS,
      );
    }
    await compareWithMoredoc(ctx, { name, kind, queries }, report);
  }
  await measureSuggestions(ctx, name, documentCount, report);
  return p95s;
}

async function compareWithMoredoc(
  ctx: Context,
  { name, kind, queries }: { name: string; kind: string; queries: string[] },
  report: BenchReport,
) {
  const comparedQueries = queries.slice(0, BASELINE_ROUNDS);
  const ourTimes: number[] = [];
  const likeTimes: number[] = [];
  const ilikeTimes: number[] = [];
  for (const wd of comparedQueries) {
    likeTimes.push(await measureMs(() => searchLikeMoredoc(ctx, wd, 'like')));
    // MySQL, which moredoc uses, ignores case.
    ilikeTimes.push(await measureMs(() => searchLikeMoredoc(ctx, wd, 'ilike')));
    ourTimes.push(await measureMs(() => searchDocuments(ctx, { ...SEARCH_INPUT, wd })));
  }
  const [ourMs, ilikeMs, likeMs] = [median(ourTimes), median(ilikeTimes), median(likeTimes)];
  const ratio = ilikeMs / ourMs;
  report(
    `${name}: ${kind}, against LIKE over title, keywords, description`,
    {
      ours_p50_ms: ourMs,
      like_ignoring_case_ms: ilikeMs,
      like_ms: likeMs,
      ratio,
      ratio_with_case: likeMs / ourMs,
      limit: 20,
    },
    ratio >= 20 || Number.parseInt(name, 10) < 100_000,
  );
}

async function measureSuggestions(ctx: Context, name: string, documentCount: number, report: BenchReport) {
  const next = seededRandom(99);
  const times: number[] = [];
  const letters = ['s', 'sh', 'shu', 'shuju', 'zg', 'zhongguo', 'fz', 'jingji', 'shujv', 'xeuxi'];
  await getSearchSuggestions(ctx, { wd: '开始' });
  for (let round = 0; round < 300; round += 1) {
    const { title } = makeDocument(Math.floor(next() * documentCount));
    const input =
      round % 3 === 0 ? (letters[Math.floor(round / 3) % letters.length] ?? '') : title.slice(0, 1 + (round % 5));
    times.push(await measureMs(() => getSearchSuggestions(ctx, { wd: input })));
  }
  const p95 = percentile(times, 0.95);
  report(
    `${name}: suggestions`,
    { queries: times.length, p50_ms: median(times), p95_ms: p95, limit_ms: 20 },
    p95 <= 20,
  );
}
