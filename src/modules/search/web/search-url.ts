import { documentTypes } from '#modules/document/document.contract.ts';
import type { InputOf } from '#platform/contract/endpoint.ts';
import {
  MAX_QUERY_LENGTH,
  type SearchSort,
  type searchApi,
  searchDurations,
  searchFees,
  searchPageRanges,
  searchSorts,
} from '../search.contract.ts';

/** The query parameters of the search page; an empty filter means no filter. */
export type SearchQuery = {
  wd: string;
  sort: SearchSort;
  ext: string;
  category_id: string;
  duration: string;
  pages: string;
  fee_type: string;
  language: string;
  page: number;
};

const defaultQuery: SearchQuery = {
  wd: '',
  sort: 'default',
  ext: '',
  category_id: '',
  duration: '',
  pages: '',
  fee_type: '',
  language: '',
  page: 1,
};

export const SEARCH_PAGE_SIZE = 10;
const MAX_PAGE = 10_000;

const parseOptionKey = <K extends string>(options: Record<K, unknown>, key: string | null): K | '' =>
  key !== null && Object.hasOwn(options, key) ? (key as K) : '';

function parsePageNumber(text: string | null): number {
  const page = Number(text ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1;
}

/** Ignores unknown values and cuts off long queries. */
export function parseSearchParams(search: URLSearchParams): SearchQuery {
  const category = search.get('category_id') ?? '';
  return {
    wd: (search.get('wd') ?? '').trim().slice(0, MAX_QUERY_LENGTH).toWellFormed(),
    sort: parseOptionKey(searchSorts, search.get('sort')) || 'default',
    ext: parseOptionKey(documentTypes, search.get('ext')),
    category_id: /^[1-9]\d{0,8}$/.test(category) ? category : '',
    duration: parseOptionKey(searchDurations, search.get('duration')),
    pages: parseOptionKey(searchPageRanges, search.get('pages')),
    fee_type: parseOptionKey(searchFees, search.get('fee_type')),
    language: /^[\w-]{1,16}$/.exec(search.get('language') ?? '')?.[0] ?? '',
    page: parsePageNumber(search.get('page')),
  };
}

/** Leaves out defaults. */
export function searchHref(query: Partial<SearchQuery>): string {
  const nonDefaults = Object.entries(query).filter(([key, value]) => value !== defaultQuery[key as keyof SearchQuery]);
  const search = new URLSearchParams(nonDefaults.map(([key, value]) => [key, String(value)]));
  return search.size > 0 ? `/search?${search}` : '/search';
}

export function searchInputOf(query: SearchQuery): InputOf<typeof searchApi.search> {
  const { wd, sort, page, category_id, language, ...rest } = query;
  const filters = Object.entries(rest).filter(([, value]) => value !== '');
  return {
    wd,
    sort,
    page,
    size: SEARCH_PAGE_SIZE,
    collapse_twins: true,
    ...Object.fromEntries(filters),
    ...(category_id && { category_id: [Number(category_id)] }),
    ...(language && { language: [language] }),
  };
}

/** In display order; `agg` is the response field with the counts. */
export const searchFilters = [
  { key: 'ext', title: '类型', agg: 'agg_ext' },
  { key: 'category_id', title: '分类', agg: 'agg_category' },
  { key: 'duration', title: '时间', agg: 'agg_duration' },
  { key: 'pages', title: '页数', agg: 'agg_pages' },
  { key: 'fee_type', title: '费用', agg: 'agg_fee_type' },
  { key: 'language', title: '语言', agg: 'agg_language' },
] as const;

export const countFilters = (query: SearchQuery): number => searchFilters.filter(({ key }) => query[key] !== '').length;

export const withoutFilters = ({ wd, sort }: SearchQuery): Partial<SearchQuery> => ({ wd, sort });

/** Opens the document at the page, with the words highlighted. */
export function hitHref(id: number, wd: string, page?: number): string {
  const search = wd ? `?wd=${encodeURIComponent(wd)}` : '';
  return `/document/${id}${search}${page ? `#p=${page}` : ''}`;
}
