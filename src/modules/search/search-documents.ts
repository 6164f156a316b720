import { seesAllDocuments } from '#modules/document/visibility.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { buildSearchHits } from './query/build-search-hits.ts';
import { suggestCorrection } from './query/did-you-mean.ts';
import { labelFacets } from './query/facet-labels.ts';
import { findRelatedQueries } from './query/find-related-queries.ts';
import { hasPhrase, parseQuery, type Query } from './query/parse-query.ts';
import { newReadBudget, type RankedText, rankByFullText } from './query/rank-by-full-text.ts';
import { parseSearchFilters, selectablePeriodStarts } from './query/search-filters.ts';
import { readSynonyms } from './query/synonyms.ts';
import { withOldestTwins } from './query/with-oldest-twins.ts';
import { type SearchSort, type searchApi, searchSorts } from './search.contract.ts';
import { emptyFacets, type FindResult } from './search-engine.ts';
import { selectSearchEngine } from './select-search-engine.ts';

type Input = ParsedInputOf<typeof searchApi.search>;

/** Number of top candidates that are re-ranked by their full text. */
const RERANK_COUNT = 20;
/** Candidates whose texts are checked for a phrase: per batch, and in all. */
const PHRASE_BATCH_SIZE = 40;
const MAX_PHRASE_CANDIDATES = 160;
/** With fewer results a spelling correction is offered. */
const CORRECTION_BELOW_RESULTS = 3;
/** Upper limit of results that can be paged through, whatever the setting. */
const MAX_PAGED_RESULTS = 2_000;

const noResults: FindResult = {
  candidates: [],
  total: 0,
  isRelaxed: false,
  facets: emptyFacets(),
};

const parseSearchSort = (key: string): SearchSort =>
  Object.hasOwn(searchSorts, key) ? (key as SearchSort) : 'default';

export async function searchDocuments(ctx: Context, input: Input) {
  const startedAt = performance.now();
  const query = await parseQuery(input.wd, await readSynonyms(ctx));
  const maxResults = await maxPagedResults(ctx);
  const offset = (input.page - 1) * input.size;
  const sort = parseSearchSort(input.sort);
  const isPhraseSearch = hasPhrase(query);
  const result =
    query.words.length === 0
      ? noResults
      : await selectSearchEngine(ctx).find(ctx, {
          query,
          viewer: { isManager: seesAllDocuments(ctx), userId: ctx.user?.id ?? null },
          filters: await parseSearchFilters(ctx, input),
          sort,
          limit: isPhraseSearch
            ? MAX_PHRASE_CANDIDATES
            : Math.min(maxResults, Math.max(offset + input.size, RERANK_COUNT)),
          periodStarts: selectablePeriodStarts(ctx),
          // Whether a text contains a phrase is known only later, and may differ between twins.
          collapsesTwins: input.collapse_twins && !isPhraseSearch,
        });
  const ranking = { query, result, sort, offset, size: input.size, collapsesTwins: input.collapse_twins };
  const { ranked, total, isExact } = await (isPhraseSearch ? rankPhraseSearchPage : rankWordSearchPage)(ctx, ranking);
  const seconds = (performance.now() - startedAt) / 1000;
  const hasWords = query.words.length > 0;
  const [document, facets, correction] = await Promise.all([
    buildSearchHits(ctx, query, ranked, { collapsesTwins: input.collapse_twins }),
    labelFacets(ctx, result.facets),
    hasWords && (total < CORRECTION_BELOW_RESULTS || result.isRelaxed) ? suggestCorrection(ctx, query) : '',
  ]);
  return {
    total,
    is_exact: isExact,
    document,
    has_words: hasWords,
    is_relaxed: result.isRelaxed,
    max_page: Math.ceil(Math.min(total, maxResults) / input.size),
    spend: seconds.toFixed(3),
    did_you_mean: correction,
    related_words: findRelatedQueries(document, query),
    ...facets,
  };
}

async function maxPagedResults(ctx: Context): Promise<number> {
  const { max_search_pages } = (await getSettings(ctx)).display;
  return max_search_pages > 0 ? Math.min(max_search_pages * 10, MAX_PAGED_RESULTS) : MAX_PAGED_RESULTS;
}

type RankingInput = {
  query: Query;
  result: FindResult;
  sort: SearchSort;
  offset: number;
  size: number;
  collapsesTwins: boolean;
};
type RankedPage = { ranked: RankedText[]; total: number; isExact: boolean };

/** The rows of one result page. The first RERANK_COUNT are ordered by full text, the others by the engine. */
async function rankWordSearchPage(
  ctx: Context,
  { query, result, sort, offset, size }: RankingInput,
): Promise<RankedPage> {
  const { candidates, total } = result;
  const budget = newReadBudget();
  const inOrder = (from: number) =>
    rankByFullText(ctx, query, candidates.slice(from, offset + size), { isOrdered: true, budget });
  if (sort !== 'default' || offset >= RERANK_COUNT) return { ranked: await inOrder(offset), total, isExact: true };
  const topCandidates = candidates.slice(0, RERANK_COUNT);
  const rerankedTexts = await rankByFullText(ctx, query, topCandidates, { isOrdered: false, budget });
  const laterTexts = offset + size > RERANK_COUNT ? await inOrder(RERANK_COUNT) : [];
  return { ranked: [...rerankedTexts, ...laterTexts].slice(offset, offset + size), total, isExact: true };
}

/**
 * The index does not store positions, so candidate texts are read until the result page is full. The total is
 * extrapolated from the share of checked candidates that contain the phrase.
 */
async function rankPhraseSearchPage(ctx: Context, ranking: RankingInput): Promise<RankedPage> {
  const { query, result, sort, offset, size, collapsesTwins } = ranking;
  const { candidates, total } = result;
  let matches: RankedText[] = [];
  const budget = newReadBudget();
  let checkedCount = 0;
  while (checkedCount < candidates.length && matches.length < offset + size && budget.characters > 0) {
    const batch = candidates.slice(checkedCount, checkedCount + PHRASE_BATCH_SIZE);
    checkedCount += batch.length;
    matches.push(...(await rankByFullText(ctx, query, batch, { isOrdered: sort !== 'default', budget })));
    if (collapsesTwins) matches = await withOldestTwins(ctx, matches);
  }
  const isBudgetSpent = budget.characters <= 0;
  const isExact = checkedCount >= total && !isBudgetSpent;
  const isFinished = checkedCount >= candidates.length || isBudgetSpent;
  const estimate = Math.max(matches.length, Math.round((total * matches.length) / (checkedCount || 1)));
  return {
    ranked: matches.slice(offset, offset + size),
    // An estimate would announce result pages that cannot be filled.
    total: isExact || isFinished ? matches.length : estimate,
    isExact,
  };
}
