import { FIELD_WEIGHTS, FRESHNESS_WEIGHT, isPinyinCandidate, QUALITY_WEIGHT } from '../query/field-weights.ts';
import type { QueryWord } from '../query/parse-query.ts';
import { extensionsByType, representativeExtension } from '../query/search-filters.ts';
import { searchPageRanges } from '../search.contract.ts';
import type { FacetName, FindRequest } from '../search-engine.ts';
import { pinyinTermKey } from '../text/term-keys.ts';

type Clause = Record<string, unknown>;
type IndexField = keyof typeof FIELD_WEIGHTS;
type Form = QueryWord['forms'][number];

const fields = Object.keys(FIELD_WEIGHTS) as IndexField[];

/** All pieces of a form occur in this field. */
const formInFieldClause = (field: IndexField, { pieces }: Form): Clause => ({
  bool: { filter: pieces.map((keys) => ({ terms: { [field]: keys } })) },
});
const pinyinClauses = ({ text }: Form): Clause[] =>
  isPinyinCandidate(text) ? [{ term: { keyword: pinyinTermKey(text) } }] : [];

const containsWord = ({ forms }: QueryWord): Clause => ({
  bool: {
    should: forms.flatMap((form) => [formInFieldClause('any', form), ...pinyinClauses(form)]),
    minimum_should_match: 1,
  },
});

/** Scores a word by the best field that contains it. */
const scoreWord = (word: QueryWord): Clause => ({
  dis_max: {
    queries: word.forms.flatMap((form) => [
      ...fields.map((field) => ({
        constant_score: { filter: formInFieldClause(field, form), boost: word.weight * FIELD_WEIGHTS[field] },
      })),
      ...pinyinClauses(form).map((filter) => ({
        constant_score: { filter, boost: word.weight * FIELD_WEIGHTS.keyword },
      })),
    ]),
  },
});

function visibilityClause({ isManager, userId }: FindRequest['viewer']): Clause {
  if (isManager) return { range: { scope: { lt: 3 } } };
  if (userId === null) return { term: { scope: 0 } };
  const myDocuments = { bool: { filter: [{ term: { scope: 2 } }, { term: { user_id: userId } }] } };
  return { bool: { should: [{ range: { scope: { lte: 1 } } }, myDocuments], minimum_should_match: 1 } };
}

function facetFilterClauses({ filters }: FindRequest): Partial<Record<FacetName, Clause>> {
  const { extensions, categories, languages, fee, pages, since } = filters;
  return {
    ...(extensions && { ext: { terms: { ext: extensions } } }),
    ...(categories && { category: { terms: { categories } } }),
    ...(languages && { language: { terms: { language: languages } } }),
    ...(fee && { fee_type: { range: { price: fee === 'free' ? { lte: 0 } : { gt: 0 } } } }),
    ...(pages && {
      pages: { range: { pages: { gte: pages.from, ...(pages.to && { lte: pages.to }) } } },
    }),
    ...(since !== undefined && { duration: { range: { created_at: { gte: since } } } }),
  };
}

function nonFacetFilterClauses({ filters: { users, from, to } }: FindRequest): Clause[] {
  return [
    ...(users ? [{ terms: { user_id: users } }] : []),
    ...(from ? [{ range: { created_at: { gte: from } } }] : []),
    ...(to ? [{ range: { created_at: { lte: to } } }] : []),
  ];
}

const sorts: Partial<Record<FindRequest['sort'], string>> = {
  latest: 'created_at',
  pages: 'pages',
  size: 'size',
  score: 'score',
  view_count: 'view_count',
  download_count: 'download_count',
  favorite_count: 'favorite_count',
};

/** `some`: documents with at least one of the words. */
function matchClause(request: FindRequest, mode: 'all' | 'some'): Clause {
  const { words, excludedWords } = request.query;
  const optionalWords = words.map((word) => ({
    constant_score: { filter: containsWord(word), boost: word.weight },
  }));
  return {
    bool: {
      ...(mode === 'all' ? { must: words.map(scoreWord) } : { should: optionalWords, minimum_should_match: 1 }),
      must_not: excludedWords.filter(({ isPhrase }) => !isPhrase).map(containsWord),
      filter: [visibilityClause(request.viewer), ...nonFacetFilterClauses(request)],
    },
  };
}

/** The largest number of hits that a cluster returns. */
export const MAX_TWIN_GROUPS = 10_000;

const isTwin: Clause = { range: { twin_group: { gt: 0 } } };
const isNoTwin: Clause = { bool: { must_not: [isTwin] } };

/** Finds the oldest matching document of each group of twins. */
export const buildTwinRequest = (request: FindRequest, mode: 'all' | 'some'): Clause => ({
  size: MAX_TWIN_GROUPS,
  track_total_hits: false,
  _source: false,
  query: { bool: { filter: [matchClause(request, mode), isTwin, ...Object.values(facetFilterClauses(request))] } },
  collapse: { field: 'twin_group' },
  sort: [{ document_id: 'asc' }],
});

type SearchOptions = {
  mode: 'all' | 'some';
  size: number;
  /** The only hits among twins; null if twins are not collapsed. */
  oldestTwins: number[] | null;
};

/** Scores like the PostgreSQL engine. */
export function buildSearchRequest(request: FindRequest, { mode, size, oldestTwins }: SearchOptions): Clause {
  const matches = matchClause(request, mode);
  const sort = sorts[request.sort];
  const isResult =
    oldestTwins === null
      ? []
      : [{ bool: { should: [isNoTwin, { terms: { document_id: oldestTwins } }], minimum_should_match: 1 } }];
  return {
    size,
    track_total_hits: true,
    _source: false,
    query: {
      function_score: {
        query: matches,
        functions: [
          { field_value_factor: { field: 'quality', missing: 0 }, weight: QUALITY_WEIGHT },
          {
            exp: { created_at: { origin: 'now', scale: '365d', decay: 0.5 } },
            weight: FRESHNESS_WEIGHT,
          },
        ],
        score_mode: 'sum',
        boost_mode: 'sum',
      },
    },
    post_filter: { bool: { filter: [...Object.values(facetFilterClauses(request)), ...isResult] } },
    aggs: buildAggregations(request, isResult),
    ...(sort && { sort: [{ [sort]: 'desc' }, { document_id: 'desc' }] }),
  };
}

const MAX_BUCKETS = 1_000;
/** Counts up to this number are exact. */
const EXACT_GROUPS = 10_000;

/** Name of the aggregation that counts groups of twins by the values of a facet. */
export const twinFacetName = (facet: FacetName): string => `${facet}_twins`;

/** How documents are divided by the values of each facet. */
function facetValueAggregations(request: FindRequest): Record<FacetName, Clause> {
  const ranges = Object.entries(searchPageRanges).map(([key, { from, to }]) => ({
    key,
    from,
    ...(to && { to: to + 1 }),
  }));
  const fees = [
    { key: 'free', to: 1 },
    { key: 'charge', from: 1 },
  ];
  const periods = Object.entries(request.periodStarts).map(([key, from]) => ({ key, from }));
  return {
    ext: { terms: { field: 'ext', size: MAX_BUCKETS } },
    category: { terms: { field: 'categories', size: MAX_BUCKETS } },
    language: { terms: { field: 'language', size: MAX_BUCKETS } },
    pages: { range: { field: 'pages', ranges } },
    fee_type: { range: { field: 'price', ranges: fees } },
    duration: { date_range: { field: 'created_at', ranges: periods } },
  };
}

/** One bucket for each type, named after an extension. */
const byType: Clause = {
  filters: {
    filters: Object.fromEntries(
      Object.values(extensionsByType).map((list) => [representativeExtension(list[0] ?? ''), { terms: { ext: list } }]),
    ),
  },
};

/** A facet ignores its own filter. `isResult`: with collapsed twins, the documents that are results. */
function buildAggregations(request: FindRequest, isResult: Clause[]): Clause {
  const filters = facetFilterClauses(request);
  const countWithoutFacetFilter = (facet: string, further: Clause[], aggs: Clause): Clause => ({
    filter: {
      bool: {
        filter: [...Object.entries(filters).flatMap(([name, clause]) => (name === facet ? [] : clause)), ...further],
      },
    },
    aggs: { values: aggs },
  });
  const countDocuments = { value_count: { field: 'document_id' } };
  const groups = { cardinality: { field: 'twin_group', precision_threshold: EXACT_GROUPS } };
  const collapsesTwins = isResult.length > 0;
  const byValue = facetValueAggregations(request);
  const facets = Object.entries(byValue).map(([name, aggs]) => [
    name,
    countWithoutFacetFilter(name, collapsesTwins ? [isNoTwin] : [], aggs),
  ]);
  const twinFacets = Object.entries({ ...byValue, ext: byType }).map(([name, aggs]) => [
    twinFacetName(name as FacetName),
    countWithoutFacetFilter(name, [isTwin], { ...aggs, aggs: { groups } }),
  ]);
  return {
    total: countWithoutFacetFilter('', isResult, countDocuments),
    matched: { filter: { match_all: {} }, aggs: { values: countDocuments } },
    ...Object.fromEntries(facets),
    ...(collapsesTwins && Object.fromEntries(twinFacets)),
  };
}
