import * as z from 'zod/mini';
import { documentRow } from '#modules/document/document.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, id, nothing, text, zeroOrId } from '#platform/contract/shapes.ts';

/** What is longer is searched for by its beginning. */
export const MAX_QUERY_LENGTH = 200;

/** The orders of the reference; `default` is by relevance. */
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

/** From and to, both included; 0 is no end. */
export const searchPageRanges = {
  '1-10': { title: '10 页以内', from: 1, to: 10 },
  '11-50': { title: '11–50 页', from: 11, to: 50 },
  '51-200': { title: '51–200 页', from: 51, to: 200 },
  '201-': { title: '200 页以上', from: 201, to: 0 },
} as const;
export type SearchPageRange = keyof typeof searchPageRanges;

export const searchFees = { free: '免费', charge: '付费' } as const;

/** Where the words stand in a text: from (included) and to (not included), in UTF-16 units. */
const marks = z.array(z.tuple([count, count]));
export type SearchMarks = z.infer<typeof marks>;

const snippet = z.object({
  page: count,
  /** One line of the page around its best place. */
  text: z.string(),
  marks,
  /** How often the words stand on this page. */
  count,
  /** As it stands on the page: what the reader marks when opened there, `/document/1?wd=…#p=12`. */
  wd: z.string(),
});
export type SearchSnippet = z.infer<typeof snippet>;

const found = z.extend(documentRow, {
  title_marks: marks,
  description_marks: marks,
  /** The best pages the caller may read, at most 3, the best first. */
  snippet: z.array(snippet),
  /** Numbers of the matching pages the caller may read, at most 20, in order. */
  hit_page: z.array(count),
  /** How many pages match: those the caller may read, and those behind the preview. */
  hit_pages: count,
  locked_pages: count,
});
export type SearchHit = z.infer<typeof found>;

/** A value to filter by, what it is called, and how many results have it. */
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
  /** From and, if there is a second one, to; without a zone in that of the site. */
  created_at: z.optional(z.array(text(40, '时间')).check(z.maxLength(2, '时间范围不正确'))),
};

const query = z.string('请输入搜索词').check(z.maxLength(16_384, '搜索词过长'));

export const searchApi = {
  search: endpoint({
    method: 'GET',
    path: '/document/search',
    access: 'public',
    summary: '全文搜索：引号为短语，减号为排除；没有 wd 时结果为空',
    input: z.object({
      wd: z._default(query, ''),
      page: z._default(z.int('页码不正确').check(z.gte(1, '页码从 1 开始'), z.lte(10_000, '页码过大')), 1),
      size: z._default(z.int('每页条数不正确').check(z.gte(1, '每页条数过小'), z.lte(50, '每页最多 50 条')), 10),
      /** A key of `searchSorts`; another one is the default. */
      sort: z._default(text(32, '排序'), 'default'),
      ...filters,
    }),
    output: z.object({
      /** How many documents are found; rounded where `is_exact` is false. */
      total: count,
      is_exact: z.boolean(),
      /** How far one can turn pages. */
      max_page: count,
      /** Seconds, as text: "0.012". */
      spend: z.string(),
      document: z.array(found),
      /** Whether anything was looked for: words that are unwanted are none. */
      has_words: z.boolean(),
      /** No document has all the words: these have some of them. */
      is_relaxed: z.boolean(),
      /** Another spelling that finds more; empty where there is none. */
      did_you_mean: z.string(),
      /** Words that go with these results. */
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
          /** Of a title, its document; 0 otherwise. */
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
    input: nothing,
    output: z.object({ recommend: z.array(z.string()), hot: z.array(z.string()) }),
  }),
  history: endpoint({
    method: 'GET',
    path: '/search/history',
    access: 'user',
    summary: '自己最近搜过的词',
    input: nothing,
    output: z.object({ history: z.array(z.string()) }),
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/search/history',
    access: 'user',
    summary: '清除自己搜过的词：给出 wd 时只清除这一个',
    input: z.object({ wd: z.optional(query) }),
    output: nothing,
  }),
};

export const searchErrors = defineErrors('search', {
  unavailable: [503, '搜索服务暂时不可用，请稍后再试；浏览和阅读不受影响'],
});
