import { FIELD_WEIGHTS, FRESHNESS_WEIGHT, isPinyinCandidate, QUALITY_WEIGHT } from '../query/field-weights.ts';
import type { QueryWord } from '../query/parse-query.ts';
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

/** Scores like the PostgreSQL engine. `some`: documents with at least one of the words. */
export function buildSearchRequest(request: FindRequest, mode: 'all' | 'some', size: number): Clause {
  const { words, excludedWords } = request.query;
  const optionalWords = words.map((word) => ({
    constant_score: { filter: containsWord(word), boost: word.weight },
  }));
  const matches: Clause = {
    bool: {
      ...(mode === 'all' ? { must: words.map(scoreWord) } : { should: optionalWords, minimum_should_match: 1 }),
      must_not: excludedWords.filter(({ isPhrase }) => !isPhrase).map(containsWord),
      filter: [visibilityClause(request.viewer), ...nonFacetFilterClauses(request)],
    },
  };
  const sort = sorts[request.sort];
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
    post_filter: { bool: { filter: Object.values(facetFilterClauses(request)) } },
    aggs: buildFacetAggregations(request),
    ...(sort && { sort: [{ [sort]: 'desc' }, { document_id: 'desc' }] }),
  };
}

const MAX_BUCKETS = 1_000;

/** A facet ignores its own filter. */
function buildFacetAggregations(request: FindRequest): Clause {
  const filters = facetFilterClauses(request);
  const countWithoutFacetFilter = (facet: string, aggs: Clause): Clause => ({
    filter: {
      bool: {
        filter: Object.entries(filters).flatMap(([name, clause]) => (name === facet ? [] : clause)),
      },
    },
    aggs: { values: aggs },
  });
  const ranges = Object.entries(searchPageRanges).map(([key, { from, to }]) => ({
    key,
    from,
    ...(to && { to: to + 1 }),
  }));
  return {
    total: countWithoutFacetFilter('', { value_count: { field: 'document_id' } }),
    matched: {
      filter: { match_all: {} },
      aggs: { values: { value_count: { field: 'document_id' } } },
    },
    ext: countWithoutFacetFilter('ext', { terms: { field: 'ext', size: MAX_BUCKETS } }),
    category: countWithoutFacetFilter('category', { terms: { field: 'categories', size: MAX_BUCKETS } }),
    language: countWithoutFacetFilter('language', { terms: { field: 'language', size: MAX_BUCKETS } }),
    pages: countWithoutFacetFilter('pages', { range: { field: 'pages', ranges } }),
    fee_type: countWithoutFacetFilter('fee_type', {
      range: {
        field: 'price',
        ranges: [
          { key: 'free', to: 1 },
          { key: 'charge', from: 1 },
        ],
      },
    }),
    duration: countWithoutFacetFilter('duration', {
      date_range: {
        field: 'created_at',
        ranges: Object.entries(request.periodStarts).map(([key, from]) => ({ key, from })),
      },
    }),
  };
}
