import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadWordSegmenter } from '#modules/text/segmenter.ts';
import type { Context } from '#platform/server/context.ts';
import { publishText } from './search.fixture.ts';
import { synonyms } from './search.table.ts';

/** A query, the title expected first, and the page expected as its best match (0: any). */
type GoldenQuery = { wd: string; title: string; page: number };
type GoldenDocument = { title: string; keywords: string; pages: string[] };

const folder = path.join(import.meta.dirname, 'golden');
const readGoldenFile = (name: string) => readFileSync(path.join(folder, name), 'utf8');

function readGoldenTestSet(): { documents: GoldenDocument[]; queries: GoldenQuery[] } {
  const documents: GoldenDocument[] = [];
  const queries: GoldenQuery[] = [];
  const files = readdirSync(folder).filter((name) => name !== 'synonyms.txt');
  for (const part of files.sort().flatMap((name) => readGoldenFile(name).split(/^====\n/m))) {
    const lines = part.trim().split('\n');
    const title = lines.find((line) => line.startsWith('# '))?.slice(2) ?? '';
    const keywords = lines.find((line) => line.startsWith('keywords '))?.slice(9) ?? '';
    const body = lines.filter((line) => !/^(# |keywords |\? )/.test(line)).join('\n');
    documents.push({ title, keywords, pages: body.split(/^----$/m).map((page) => page.trim()) });
    for (const line of lines.filter((each) => each.startsWith('? '))) {
      const [wd = '', page = '0'] = line.slice(2).split(' => ');
      queries.push({ wd, title, page: Number(page) });
    }
  }
  return { documents, queries };
}

/** Pseudo-random numbers from 0 to 1 (linear congruential), the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Documents of random words from the golden documents: word proximity must rank the real ones above them. */
async function randomDocuments(count: number): Promise<GoldenDocument[]> {
  const jieba = await loadWordSegmenter();
  const words = readGoldenTestSet()
    .documents.flatMap(({ pages }) => pages)
    .flatMap((page) => jieba.cut(page, false))
    .filter((word) => word.trim() !== '');
  const next = seededRandom(7);
  const pick = () => words[Math.floor(next() * words.length)] ?? '';
  const page = () => Array.from({ length: 90 }, pick).join('');
  return Array.from({ length: count }, (_, at) => ({
    title: `资料汇编第${at + 1}册`,
    keywords: '资料,汇编',
    pages: Array.from({ length: 6 }, page),
  }));
}

export async function publishGolden(ctx: Context): Promise<void> {
  for (const document of [...(await randomDocuments(60)), ...readGoldenTestSet().documents])
    await publishText(ctx, document);
  for (const line of readGoldenFile('synonyms.txt').trim().split('\n'))
    await ctx.db.insert(synonyms).values({ words: line.split(' ') });
}

type Answer = { document: { title: string; snippet: { page: number }[] }[] };
export type RankedQuery = GoldenQuery & { rank: number; isPageBest: boolean };

/** Runs all queries. `rank` counts from 1; 0 if the expected document is not among the first ten. */
export async function runGoldenQueries(search: (wd: string) => Promise<Answer>): Promise<RankedQuery[]> {
  const rankedQueries: RankedQuery[] = [];
  for (const query of readGoldenTestSet().queries) {
    const { document } = await search(query.wd);
    const rank = document.slice(0, 10).findIndex(({ title }) => title === query.title) + 1;
    const best = document[rank - 1]?.snippet[0]?.page;
    rankedQueries.push({ ...query, rank, isPageBest: query.page === 0 || best === query.page });
  }
  return rankedQueries;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Each query has one relevant document, so the ideal gain is 1. */
export const relevanceMetrics = (rankedQueries: RankedQuery[]) => ({
  queries: rankedQueries.length,
  ndcg: mean(rankedQueries.map(({ rank }) => (rank > 0 ? 1 / Math.log2(rank + 1) : 0))),
  hit_at_1: mean(rankedQueries.map(({ rank }) => (rank === 1 ? 1 : 0))),
  page_at_1: mean(rankedQueries.map(({ rank, isPageBest }) => (rank > 0 && isPageBest ? 1 : 0))),
});
