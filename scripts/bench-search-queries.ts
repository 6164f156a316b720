/** The searches that are measured, and what the search of the reference takes for the same words. */
import { sql } from 'drizzle-orm';
import { seededRandom } from '#modules/search/golden.fixture.ts';
import { suggest } from '#modules/search/query/suggest.ts';
import { searchDocuments } from '#modules/search/search.ts';
import type { Context } from '#platform/server/context.ts';
import { type benchReport, median, percentile } from './bench-report.ts';
import { makeDocument } from './bench-search-corpus.ts';

type Report = ReturnType<typeof benchReport>['report'];

const ROUNDS = 60;
const BASELINE_ROUNDS = 8;
const LIMIT_MS = 100;

/** Words that at least a quarter of the documents have, by looking at some of them. */
function commonWords(): string[] {
  const counts = new Map<string, number>();
  const looked = 200;
  for (let at = 0; at < looked; at += 1) {
    const { pages } = makeDocument(at * 37);
    for (const word of new Set(pages.join('').match(/\p{Script=Han}{2}/gu)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= looked * 0.25).map(([word]) => word);
}

/** Different queries of each kind; none is asked twice, so nothing is remembered. */
export function queriesOf(documents: number) {
  const next = seededRandom(4_711);
  const common = commonWords();
  const any = () => makeDocument(Math.floor(next() * documents));
  const rare = () => any().keywords.split(',')[0] ?? '';
  const usual = () => any().keywords.split(',')[1] ?? '';
  const phrase = () => {
    const page = any().pages[Math.floor(next() * 10)] ?? '';
    const line = page.split(/[，。\n]+/).find((each) => each.length >= 8) ?? page;
    return `"${line.slice(0, 6)}"`;
  };
  const pick = () => common[Math.floor(next() * common.length)] ?? '';
  const many = (make: () => string) => [...new Set(Array.from({ length: ROUNDS }, make))];
  return {
    'one common word': many(pick),
    'two words': many(() => `${usual()} ${usual()}`),
    'two common words': many(() => `${pick()} ${pick()}`),
    'a rare word': many(rare),
    'a phrase': many(phrase),
  };
}

const input = { page: 1, size: 10, sort: 'default' };
const filters = { fee_type: 'free', ext: 'pdf', duration: 'year' };

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** What moredoc does: a count and a page of rows, every word LIKE in three columns. */
async function baseline(ctx: Context, wd: string, operator: 'like' | 'ilike') {
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

/** Gives the 95th percentile of each kind. */
export async function measureSearches(ctx: Context, name: string, report: Report) {
  const documents = Number.parseInt(name, 10);
  const p95s: Record<string, number> = {};
  // The first search loads dictionaries.
  await searchDocuments(ctx, { ...input, wd: '开始' });
  for (const [kind, queries] of Object.entries(queriesOf(documents))) {
    for (const [how, extra] of [
      ['', {}],
      [', filtered', filters],
    ] as const) {
      const times: number[] = [];
      let found = 0;
      for (const wd of queries) {
        times.push(
          await timed(async () => {
            found += (await searchDocuments(ctx, { ...input, ...extra, wd })).total;
          }),
        );
      }
      const p95 = percentile(times, 0.95);
      if (!how) p95s[kind] = p95;
      const figures = { queries: times.length, found_mean: found / times.length };
      report(
        `${name}: ${kind}${how}`,
        { ...figures, p50_ms: median(times), p95_ms: p95, limit_ms: LIMIT_MS },
        p95 <= LIMIT_MS,
      );
    }
    await compare(ctx, { name, kind, queries }, report);
  }
  await measureSuggestions(ctx, name, documents, report);
  return p95s;
}

async function compare(
  ctx: Context,
  { name, kind, queries }: { name: string; kind: string; queries: string[] },
  report: Report,
) {
  const some = queries.slice(0, BASELINE_ROUNDS);
  const ours: number[] = [];
  const like: number[] = [];
  const ilike: number[] = [];
  for (const wd of some) {
    like.push(await timed(() => baseline(ctx, wd, 'like')));
    // MySQL, which moredoc uses, compares without regard to case.
    ilike.push(await timed(() => baseline(ctx, wd, 'ilike')));
    ours.push(await timed(() => searchDocuments(ctx, { ...input, wd })));
  }
  const [mine, theirs, plain] = [ours, ilike, like].map(median);
  const ratio = (theirs ?? 0) / (mine ?? 1);
  report(
    `${name}: ${kind}, against LIKE over title, keywords, description`,
    {
      ours_p50_ms: mine ?? 0,
      like_ignoring_case_ms: theirs ?? 0,
      like_ms: plain ?? 0,
      ratio,
      ratio_plain: (plain ?? 0) / (mine ?? 1),
      limit: 20,
    },
    ratio >= 20 || Number.parseInt(name, 10) < 100_000,
  );
}

async function measureSuggestions(ctx: Context, name: string, documents: number, report: Report) {
  const next = seededRandom(99);
  const times: number[] = [];
  const letters = ['s', 'sh', 'shu', 'shuju', 'zg', 'zhongguo', 'fz', 'jingji', 'shujv', 'xeuxi'];
  await suggest(ctx, { wd: '开始' });
  for (let round = 0; round < 300; round += 1) {
    const { title } = makeDocument(Math.floor(next() * documents));
    const typed =
      round % 3 === 0 ? (letters[Math.floor(round / 3) % letters.length] ?? '') : title.slice(0, 1 + (round % 5));
    times.push(await timed(() => suggest(ctx, { wd: typed })));
  }
  const p95 = percentile(times, 0.95);
  report(`${name}: suggestions`, { asked: times.length, p50_ms: median(times), p95_ms: p95, limit_ms: 20 }, p95 <= 20);
}
