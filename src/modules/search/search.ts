import { seesAll } from '#modules/document/visibility.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { recordSearch } from './log/record-search.ts';
import { describeHits } from './query/describe-hits.ts';
import { suggestCorrection } from './query/did-you-mean.ts';
import { labelFacets } from './query/facet-labels.ts';
import { hasPhrase, parseQuery, type Query } from './query/parse-query.ts';
import { newReadBudget, type RankedText, rankTexts } from './query/rank-texts.ts';
import { relatedQueries } from './query/related-queries.ts';
import { filtersOf, sincesOf } from './query/search-filters.ts';
import { readSynonyms } from './query/synonyms.ts';
import { type SearchSort, type searchApi, searchSorts } from './search.contract.ts';
import { emptyFacets, type FindResult } from './search-engine.ts';
import { searchEngineOf } from './search-engine-of.ts';

type Input = ParsedInputOf<typeof searchApi.search>;

/** The texts of so many of the best decide their order. */
const WINDOW = 20;
/** A phrase is looked for in so many texts at a time, and in so many at most. */
const PHRASE_STEP = 40;
const MOST_LOOKED_AT = 160;
/** So few results make one think of a slip of the hand. */
const FEW = 3;
/** How far anybody can turn pages, whatever the setting. */
const MAX_SHOWN = 2_000;

const nothingFound: FindResult = {
  candidates: [],
  total: 0,
  isRelaxed: false,
  facets: emptyFacets(),
};

const sortOf = (key: string): SearchSort => (Object.hasOwn(searchSorts, key) ? (key as SearchSort) : 'default');

/** Documents by their words, each with the pages that answer. */
export async function searchDocuments(ctx: Context, input: Input) {
  const began = performance.now();
  const query = await parseQuery(input.wd, await readSynonyms(ctx));
  const maxShown = await shownOf(ctx);
  const offset = (input.page - 1) * input.size;
  const sort = sortOf(input.sort);
  const isOfPhrases = hasPhrase(query);
  const found =
    query.words.length === 0
      ? nothingFound
      : await searchEngineOf(ctx).find(ctx, {
          query,
          viewer: { isManager: seesAll(ctx), userId: ctx.user?.id ?? null },
          filters: await filtersOf(ctx, input),
          sort,
          limit: isOfPhrases ? MOST_LOOKED_AT : Math.min(maxShown, Math.max(offset + input.size, WINDOW)),
          sinces: sincesOf(ctx),
        });
  const asked = { query, found, sort, offset, size: input.size };
  const { ranked, total, isExact } = await (isOfPhrases ? rankPhrases : rankWords)(ctx, asked);
  const seconds = (performance.now() - began) / 1000;
  const hasWords = query.words.length > 0;
  // What has some of the words is not what was looked for.
  const exact = found.isRelaxed ? 0 : total;
  const [document, facets, meant] = await Promise.all([
    describeHits(ctx, query, ranked),
    labelFacets(ctx, found.facets),
    hasWords && (total < FEW || found.isRelaxed) ? suggestCorrection(ctx, query) : '',
    // A look that was cut short does not tell that there is nothing.
    hasWords && (isExact || total > 0)
      ? recordSearch(ctx, { wd: input.wd, total: exact, page: input.page, seconds })
      : undefined,
  ]);
  return {
    total,
    is_exact: isExact,
    document,
    has_words: hasWords,
    is_relaxed: found.isRelaxed,
    max_page: Math.ceil(Math.min(total, maxShown) / input.size),
    spend: seconds.toFixed(3),
    did_you_mean: meant,
    related_words: relatedQueries(document, query),
    ...facets,
  };
}

async function shownOf(ctx: Context): Promise<number> {
  const { max_search_pages } = (await getSettings(ctx)).display;
  return max_search_pages > 0 ? Math.min(max_search_pages * 10, MAX_SHOWN) : MAX_SHOWN;
}

type Asked = {
  query: Query;
  found: FindResult;
  sort: SearchSort;
  offset: number;
  size: number;
};
type Ranked = { ranked: RankedText[]; total: number; isExact: boolean };

/** The rows of one page. Those of the first window are ordered by their texts, the rest as found. */
async function rankWords(ctx: Context, { query, found, sort, offset, size }: Asked): Promise<Ranked> {
  const { candidates, total } = found;
  const room = newReadBudget();
  const inOrder = (from: number) =>
    rankTexts(ctx, query, candidates.slice(from, offset + size), { isOrdered: true, room });
  if (sort !== 'default' || offset >= WINDOW) return { ranked: await inOrder(offset), total, isExact: true };
  const first = candidates.slice(0, WINDOW);
  const window = await rankTexts(ctx, query, first, { isOrdered: false, room });
  const rest = offset + size > WINDOW ? await inOrder(WINDOW) : [];
  return { ranked: [...window, ...rest].slice(offset, offset + size), total, isExact: true };
}

/**
 * Only the texts tell whether characters stand side by side, so candidates are looked at until the
 * page is full. How many more there are is told by the share of those that were looked at.
 */
async function rankPhrases(ctx: Context, asked: Asked): Promise<Ranked> {
  const { query, found, sort, offset, size } = asked;
  const { candidates, total } = found;
  const holders: RankedText[] = [];
  const room = newReadBudget();
  let looked = 0;
  while (looked < candidates.length && holders.length < offset + size && room.characters > 0) {
    const step = candidates.slice(looked, looked + PHRASE_STEP);
    looked += step.length;
    holders.push(...(await rankTexts(ctx, query, step, { isOrdered: sort !== 'default', room })));
  }
  const isFull = room.characters <= 0;
  const isExact = looked >= total && !isFull;
  const isOver = looked >= candidates.length || isFull;
  const estimate = Math.max(holders.length, Math.round((total * holders.length) / (looked || 1)));
  return {
    ranked: holders.slice(offset, offset + size),
    // Nobody is led to pages that cannot be filled.
    total: isExact || isOver ? holders.length : estimate,
    isExact,
  };
}
