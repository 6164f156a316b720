import { FIELD_WEIGHTS, FRESHNESS_WEIGHT, isPinyinField, QUALITY_WEIGHT } from '../query/field-weights.ts';
import type { QueryWord } from '../query/parse-query.ts';
import { searchPageRanges } from '../search.contract.ts';
import type { FacetName, FindRequest } from '../search-engine.ts';
import { pinyinTermKey } from '../text/term-keys.ts';

type Clause = Record<string, unknown>;
type Place = keyof typeof FIELD_WEIGHTS;
type Form = QueryWord['forms'][number];

const places = Object.keys(FIELD_WEIGHTS) as Place[];

/** All pieces of a form stand in this place. */
const standsIn = (place: Place, { pieces }: Form): Clause => ({
  bool: { filter: pieces.map((keys) => ({ terms: { [place]: keys } })) },
});
const sounds = ({ text }: Form): Clause[] => (isPinyinField(text) ? [{ term: { keyword: pinyinTermKey(text) } }] : []);

const holds = ({ forms }: QueryWord): Clause => ({
  bool: {
    should: forms.flatMap((form) => [standsIn('any', form), ...sounds(form)]),
    minimum_should_match: 1,
  },
});

/** Worth as much as the best place it stands in. */
const worthOf = (word: QueryWord): Clause => ({
  dis_max: {
    queries: word.forms.flatMap((form) => [
      ...places.map((place) => ({
        constant_score: { filter: standsIn(place, form), boost: word.weight * FIELD_WEIGHTS[place] },
      })),
      ...sounds(form).map((filter) => ({
        constant_score: { filter, boost: word.weight * FIELD_WEIGHTS.keyword },
      })),
    ]),
  },
});

function scopeOf({ isManager, userId }: FindRequest['viewer']): Clause {
  if (isManager) return { range: { scope: { lt: 3 } } };
  if (userId === null) return { term: { scope: 0 } };
  const own = { bool: { filter: [{ term: { scope: 2 } }, { term: { user_id: userId } }] } };
  return { bool: { should: [{ range: { scope: { lte: 1 } } }, own], minimum_should_match: 1 } };
}

function filtersOf({ filters }: FindRequest): Partial<Record<FacetName, Clause>> {
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

function always({ filters: { users, from, to } }: FindRequest): Clause[] {
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

/** The same relevance as that of the database. `some`: documents with at least one of the words. */
export function queryOf(request: FindRequest, mode: 'all' | 'some', size: number): Clause {
  const { words, unwanted } = request.query;
  const some = words.map((word) => ({
    constant_score: { filter: holds(word), boost: word.weight },
  }));
  const found: Clause = {
    bool: {
      ...(mode === 'all' ? { must: words.map(worthOf) } : { should: some, minimum_should_match: 1 }),
      must_not: unwanted.filter(({ isPhrase }) => !isPhrase).map(holds),
      filter: [scopeOf(request.viewer), ...always(request)],
    },
  };
  const sort = sorts[request.sort];
  return {
    size,
    track_total_hits: true,
    _source: false,
    query: {
      function_score: {
        query: found,
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
    post_filter: { bool: { filter: Object.values(filtersOf(request)) } },
    aggs: aggregationsOf(request),
    ...(sort && { sort: [{ [sort]: 'desc' }, { document_id: 'desc' }] }),
  };
}

const MANY = 1_000;

/** Every facet is counted without its own filter. */
function aggregationsOf(request: FindRequest): Clause {
  const filters = filtersOf(request);
  const under = (own: string, aggs: Clause): Clause => ({
    filter: {
      bool: {
        filter: Object.entries(filters).flatMap(([name, clause]) => (name === own ? [] : clause)),
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
    total: under('', { value_count: { field: 'document_id' } }),
    matched: {
      filter: { match_all: {} },
      aggs: { values: { value_count: { field: 'document_id' } } },
    },
    ext: under('ext', { terms: { field: 'ext', size: MANY } }),
    category: under('category', { terms: { field: 'categories', size: MANY } }),
    language: under('language', { terms: { field: 'language', size: MANY } }),
    pages: under('pages', { range: { field: 'pages', ranges } }),
    fee_type: under('fee_type', {
      range: {
        field: 'price',
        ranges: [
          { key: 'free', to: 1 },
          { key: 'charge', from: 1 },
        ],
      },
    }),
    duration: under('duration', {
      date_range: {
        field: 'created_at',
        ranges: Object.entries(request.sinces).map(([key, from]) => ({ key, from })),
      },
    }),
  };
}
