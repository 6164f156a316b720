import type { InputOf } from '#platform/contract/endpoint.ts';
import { type documentApi, documentStatus, documentTypes } from '../document.contract.ts';

/** Sort tabs. */
export const documentSorts = {
  default: { title: '综合', order: undefined },
  latest: { title: '最新', order: 'created_at desc' },
  view: { title: '浏览', order: 'view_count desc' },
  recommend: { title: '推荐', order: 'recommend_at desc' },
  favorite: { title: '收藏', order: 'favorite_count desc' },
  download: { title: '下载', order: 'download_count desc' },
  pages: { title: '页数', order: 'pages desc' },
} as const;

const fees = { free: '免费', charge: '付费' } as const;

const durations = {
  day: { title: '一天内', days: 1 },
  week: { title: '一周内', days: 7 },
  month: { title: '一个月内', days: 31 },
  three_month: { title: '三个月内', days: 92 },
  half_year: { title: '半年内', days: 183 },
  year: { title: '一年内', days: 365 },
} as const;

/** Query parameters of a document list; an empty filter means no filter. */
export type ListQuery = {
  sort: keyof typeof documentSorts;
  ext: keyof typeof documentTypes | '';
  fee_type: keyof typeof fees | '';
  duration: keyof typeof durations | '';
  view: 'row' | 'cover';
  page: number;
};

const defaultQuery: ListQuery = {
  sort: 'default',
  ext: '',
  fee_type: '',
  duration: '',
  view: 'row',
  page: 1,
};

const parseOptionKey = <K extends string>(options: Record<K, unknown>, key: string | null): K | null =>
  key !== null && Object.hasOwn(options, key) ? (key as K) : null;

/** Ignores unknown values. */
export const readListQuery = (search: URLSearchParams, page: number): ListQuery => ({
  sort: parseOptionKey(documentSorts, search.get('sort')) ?? defaultQuery.sort,
  ext: parseOptionKey(documentTypes, search.get('ext')) ?? '',
  fee_type: parseOptionKey(fees, search.get('fee_type')) ?? '',
  duration: parseOptionKey(durations, search.get('duration')) ?? '',
  view: search.get('view') === 'cover' ? 'cover' : 'row',
  page,
});

/** Leaves out defaults. */
export function listHref(path: string, query: Partial<ListQuery>): string {
  const nonDefaults = Object.entries(query).filter(([key, value]) => value !== defaultQuery[key as keyof ListQuery]);
  const search = new URLSearchParams(nonDefaults.map(([key, value]) => [key, String(value)]));
  return search.size > 0 ? `${path}?${search}` : path;
}

export const LIST_PAGE_SIZE = 10;
const DAY_MS = 86_400_000;

export function toListInput(
  { sort, ext, fee_type, duration, page }: ListQuery,
  category: number | undefined,
): InputOf<typeof documentApi.list> {
  return {
    status: [documentStatus.converted],
    order: documentSorts[sort].order,
    page,
    size: LIST_PAGE_SIZE,
    collapse_twins: true,
    ...(category && { category_id: [category] }),
    ...(ext && { ext }),
    ...(fee_type && { fee_type }),
    ...(duration && {
      created_at: [new Date(Date.now() - durations[duration].days * DAY_MS).toISOString()],
    }),
  };
}

type Choice = { value: string; title: string };
/** In display order. */
export const documentFilters: { key: 'ext' | 'fee_type' | 'duration'; title: string; choices: Choice[] }[] = [
  {
    key: 'ext',
    title: '类型',
    choices: Object.entries(documentTypes).map(([value, title]) => ({ value, title })),
  },
  {
    key: 'fee_type',
    title: '费用',
    choices: Object.entries(fees).map(([value, title]) => ({ value, title })),
  },
  {
    key: 'duration',
    title: '时间',
    choices: Object.entries(durations).map(([value, { title }]) => ({ value, title })),
  },
];

export const isFiltered = ({ ext, fee_type, duration }: ListQuery) => Boolean(ext || fee_type || duration);
