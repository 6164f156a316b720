import * as z from 'zod/mini';
import { documentRow } from '#modules/document/document.contract.ts';
import { collapseTwins } from '#modules/document/twins.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, id, text, zeroOrId } from '#platform/contract/shapes.ts';

/** Longer queries are cut off. */
export const MAX_QUERY_LENGTH = 200;

/** The sort orders of moredoc; `default` is relevance. */
export const searchSorts = {
  default: '相关度',
  latest: '最新',
  pages: '页数',
  score: '评分',
  size: '大小',
  download_count: '下载',
  view_count: '浏览',
  favorite_count: '收藏',
} as const;
export type SearchSort = keyof typeof searchSorts;

export const searchDurations = {
  day: { title: '一天内', days: 1 },
  week: { title: '一周内', days: 7 },
  month: { title: '一个月内', days: 31 },
  three_month: { title: '三个月内', days: 92 },
  half_year: { title: '半年内', days: 183 },
  year: { title: '一年内', days: 365 },
} as const;
export type SearchDuration = keyof typeof searchDurations;

/** Inclusive bounds; `to: 0` is unbounded. */
export const searchPageRanges = {
  '1-10': { title: '10 页以内', from: 1, to: 10 },
  '11-50': { title: '11–50 页', from: 11, to: 50 },
  '51-200': { title: '51–200 页', from: 51, to: 200 },
  '201-': { title: '200 页以上', from: 201, to: 0 },
} as const;
export type SearchPageRange = keyof typeof searchPageRanges;

export const searchFees = { free: '免费', charge: '付费' } as const;

/** Highlighted ranges: start inclusive, end exclusive, in UTF-16 code units. */
const marks = z.array(z.tuple([count, count]));
export type SearchMarks = z.infer<typeof marks>;

const snippet = z.object({
  page: count,
  /** One line around the page's best match. */
  text: z.string(),
  marks,
  /** Number of matches on this page. */
  count,
  /** The matching text as written on the page; the reader highlights it: `/document/1?wd=…#p=12`. */
  wd: z.string(),
});
export type SearchSnippet = z.infer<typeof snippet>;

const searchHit = z.extend(documentRow, {
  title_marks: marks,
  description_marks: marks,
  /** At most 3 of the pages that the caller may read, best first. */
  snippet: z.array(snippet),
  /** At most 20 matching pages that the caller may read, in page order. */
  hit_page: z.array(count),
  /** Number of matching pages: readable by the caller, and beyond the preview. */
  hit_pages: count,
  locked_pages: count,
});
export type SearchHit = z.infer<typeof searchHit>;

/** `count`: number of results with this value. */
const facet = z.array(z.object({ value: z.string(), title: z.string(), count }));
export type SearchFacet = z.infer<typeof facet>;

const filters = {
  category_id: z.optional(z.array(zeroOrId)),
  user_id: z.optional(z.array(id)),
  /** Keys of `documentTypes`, `searchFees`, `searchDurations`, `searchPageRanges`; others filter nothing. */
  ext: z.optional(text(16, '类型')),
  fee_type: z.optional(text(16, '费用')),
  duration: z.optional(text(16, '时间')),
  pages: z.optional(text(16, '页数')),
  language: z.optional(z.array(text(16, '语言'))),
  /** Start and optional end; without a time zone, in that of the site. */
  created_at: z.optional(z.array(text(40, '时间')).check(z.maxLength(2, '时间范围不正确'))),
};

const query = z.string('请输入搜索词').check(z.maxLength(16_384, '搜索词过长'));

export const searchApi = {
  search: endpoint({
    method: 'GET',
    path: '/document/search',
    access: 'public',
    isSameForVisitors: true,
    summary: '全文搜索：引号为短语，减号为排除；没有 wd 时结果为空；collapse_twins 把几乎相同的文档合成一条',
    input: z.object({
      wd: z._default(query, ''),
      page: z._default(z.int('页码不正确').check(z.gte(1, '页码从 1 开始'), z.lte(10_000, '页码过大')), 1),
      size: z._default(z.int('每页条数不正确').check(z.gte(1, '每页条数过小'), z.lte(50, '每页最多 50 条')), 10),
      /** A key of `searchSorts`; unknown keys mean `default`. */
      sort: z._default(text(32, '排序'), 'default'),
      collapse_twins: collapseTwins,
      ...filters,
    }),
    output: z.object({
      /** Number of results; an estimate if `is_exact` is false. */
      total: count,
      is_exact: z.boolean(),
      /** Last page that can be requested. */
      max_page: count,
      /** Seconds, as text: "0.012". */
      spend: z.string(),
      document: z.array(searchHit),
      /** Whether the query has required words. */
      has_words: z.boolean(),
      /** No document has all the words; these have some of them. */
      is_relaxed: z.boolean(),
      /** A corrected query; empty if there is none. */
      did_you_mean: z.string(),
      related_words: z.array(z.string()),
      agg_ext: facet,
      agg_category: facet,
      agg_language: facet,
      agg_duration: facet,
      agg_pages: facet,
      agg_fee_type: facet,
    }),
  }),
  suggest: endpoint({
    method: 'GET',
    path: '/search/suggest',
    access: 'public',
    summary: '输入时的建议：自己搜过的、大家在搜的和文档名称；可用拼音和首字母，容许小错',
    input: z.object({ wd: z._default(query, '') }),
    output: z.object({
      suggestion: z.array(
        z.object({
          type: z.enum(['history', 'word', 'title']),
          text: z.string(),
          marks,
          /** The document of a title; 0 for other types. */
          document_id: count,
        }),
      ),
    }),
  }),
  hot: endpoint({
    method: 'GET',
    path: '/search/hot',
    access: 'public',
    summary: '推荐的搜索词和近来大家在搜的词',
    input: emptyObject,
    output: z.object({ recommend: z.array(z.string()), hot: z.array(z.string()) }),
  }),
  history: endpoint({
    method: 'GET',
    path: '/search/history',
    access: 'user',
    summary: '自己最近搜过的词',
    input: emptyObject,
    output: z.object({ history: z.array(z.string()) }),
  }),
  deleteHistory: endpoint({
    method: 'DELETE',
    path: '/search/history',
    access: 'user',
    summary: '清除自己搜过的词：给出 wd 时只清除这一个',
    input: z.object({ wd: z.optional(query) }),
    output: emptyObject,
  }),
};

export const searchErrors = defineErrors('search', {
  unavailable: [503, '搜索服务暂时不可用，请稍后再试；浏览和阅读不受影响'],
});
