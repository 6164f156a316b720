import { seesAll } from '#modules/document/visible-to.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { engineOf } from './engine-of.ts';
import { meantBy } from './meant-by.ts';
import { nameFacets } from './name-facets.ts';
import { parseQuery } from './parse-query.ts';
import { rankTexts } from './rank-texts.ts';
import { recordSearch } from './record-search.ts';
import { relatedWords } from './related-words.ts';
import { type SearchSort, type searchApi, searchSorts } from './search.contract.ts';
import { emptyFacets, type FindResult } from './search-engine.ts';
import { filtersOf, sincesOf } from './search-filters.ts';
import { showFound } from './show-found.ts';
import { readSynonyms } from './synonyms.ts';

type Input = ParsedInputOf<typeof searchApi.search>;

/** The texts of so many of the best decide their order. */
const WINDOW = 20;
/** A phrase is looked for in so many texts. */
const PHRASE_WINDOW = 40;
/** So few results make one think of a slip of the hand. */
const FEW = 3;
/** How far anybody can turn pages, whatever the setting. */
const MAX_SHOWN = 2_000;

const nothingFound: FindResult = {
  ...{ candidates: [], total: 0, isExact: true, isRelaxed: false },
  facets: emptyFacets(),
};

const sortOf = (key: string): SearchSort =>
  Object.hasOwn(searchSorts, key) ? (key as SearchSort) : 'default';

/** Documents by their words, each with the pages that answer. */
export async function searchDocuments(ctx: Context, input: Input) {
  const began = performance.now();
  const query = await parseQuery(input.wd, await readSynonyms(ctx));
  const maxShown = await shownOf(ctx);
  const offset = (input.page - 1) * input.size;
  const sort = sortOf(input.sort);
  const hasPhrase = query.words.some(({ isPhrase }) => isPhrase);
  const window = hasPhrase ? PHRASE_WINDOW : WINDOW;
  const found =
    query.words.length === 0 || offset >= maxShown
      ? nothingFound
      : await engineOf(ctx).find(ctx, {
          query,
          viewer: { isManager: seesAll(ctx), userId: ctx.user?.id ?? null },
          filters: await filtersOf(ctx, input),
          sort,
          limit: Math.max(offset + input.size, window),
          sinces: sincesOf(ctx),
        });
  const { ranked, total, isExact } = await ranking(
    ctx,
    { query, found, sort, offset, window },
    input,
  );
  const seconds = (performance.now() - began) / 1000;
  const hasWords = query.words.length > 0;
  const [document, facets, meant] = await Promise.all([
    showFound(ctx, query, ranked),
    nameFacets(ctx, found.facets),
    hasWords && (total < FEW || found.isRelaxed) ? meantBy(ctx, query) : '',
    hasWords ? recordSearch(ctx, { wd: input.wd, total, page: input.page, seconds }) : undefined,
  ]);
  return {
    ...{ total, is_exact: isExact, document, is_relaxed: found.isRelaxed },
    max_page: Math.ceil(Math.min(total, maxShown) / input.size),
    spend: seconds.toFixed(3),
    did_you_mean: meant,
    related_words: relatedWords(document, query),
    ...facets,
  };
}

async function shownOf(ctx: Context): Promise<number> {
  const { max_search_pages } = (await getSettings(ctx)).display;
  return max_search_pages > 0 ? Math.min(max_search_pages * 10, MAX_SHOWN) : MAX_SHOWN;
}

/** The rows of one page. Those of the first window are ordered by their texts, the rest as found. */
async function ranking(
  ctx: Context,
  asked: {
    query: Awaited<ReturnType<typeof parseQuery>>;
    found: FindResult;
    sort: SearchSort;
    offset: number;
    window: number;
  },
  { size }: Input,
) {
  const { query, found, sort, offset, window } = asked;
  const { candidates, total, isExact } = found;
  const hasPhrase = query.words.some(({ isPhrase }) => isPhrase);
  const isByText = sort === 'default' && offset < window;
  if (!isByText && !(hasPhrase && offset < window)) {
    const shown = candidates.slice(offset, offset + size);
    return { ranked: await rankTexts(ctx, query, shown, { isOrdered: true }), total, isExact };
  }
  const looked = candidates.slice(0, window);
  const inWindow = await rankTexts(ctx, query, looked, { isOrdered: sort !== 'default' });
  const ranked = inWindow.slice(offset, offset + size);
  const missing = offset + size - window;
  if (missing > 0 && candidates.length > window) {
    const rest = candidates.slice(Math.max(window, offset), offset + size);
    ranked.push(...(await rankTexts(ctx, query, rest, { isOrdered: true })));
  }
  if (!hasPhrase || looked.length === inWindow.length) return { ranked, total, isExact };
  // Of those looked at some have the characters, but not side by side; so it will be with the others.
  const isAll = looked.length === total;
  const share = inWindow.length / looked.length;
  return { ranked, total: isAll ? inWindow.length : Math.round(total * share), isExact: isAll };
}
