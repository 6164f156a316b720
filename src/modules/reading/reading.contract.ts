import * as z from 'zod/mini';
import { MAX_FIND_LENGTH } from '#modules/text/match-text.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, id } from '#platform/contract/shapes.ts';

export const MAX_PAGES_PER_REQUEST = 50;
const MAX_WORDS_AT_ONCE = 20;

const page = z.object({
  page: count,
  /** Not yet: it is being made, before the others. */
  pending: z.boolean(),
  /** Addresses of its two images, good for about an hour; empty for texts and tables. */
  url: z.string(),
  small_url: z.string(),
  width: count,
  height: count,
  /** A section of flowing text. */
  html: z.string(),
  /** Rows of a table. */
  rows: z.array(z.array(z.string())),
});
export type ReadingPage = z.infer<typeof page>;

const pageNumber = z.int('页码不正确').check(z.gte(1, '页码从 1 开始'), z.lte(1_000_000, '页码过大'));
const atOnce = (most: number, otherwise: number) =>
  z._default(z.int('页数不正确').check(z.gte(1, '页数不正确'), z.lte(most, `一次最多 ${most} 页`)), otherwise);

const whole = {
  /** pages, flow or sheet; empty until it is known. */
  view: z.string(),
  pages: count,
  ready_pages: count,
  /** Pages the caller may read. */
  readable: count,
};

/** A word and its box in ten-thousandths of the page's width; a space behind it belongs to it. */
const word = z.tuple([z.string(), count, count, count, count]);
const pageWords = z.object({ page: count, lines: z.array(z.array(word)) });
export type ReadingWord = z.infer<typeof word>;
export type ReadingWords = z.infer<typeof pageWords>;

export const readingApi = {
  layout: endpoint({
    method: 'GET',
    path: '/document/layout',
    access: 'public',
    summary: '文档的版面：阅读方式、页数、各页大小、目录和工作表',
    input: z.object({ id }),
    output: z.object({
      ...whole,
      outline: z.array(z.object({ depth: count, title: z.string(), page: count })),
      sheets: z.array(
        z.object({
          name: z.string(),
          page: count,
          rows: count,
          cut: z.boolean(),
          /** Of its longest row, where that was noted. */
          columns: z.optional(count),
        }),
      ),
      /** Sizes of the readable pages; each holds until the next one. */
      sizes: z.array(z.object({ page: count, width: count, height: count })),
      /** What the caller may do with the pages he may read. */
      may_copy: z.boolean(),
      may_print: z.boolean(),
    }),
  }),
  pages: endpoint({
    method: 'GET',
    path: '/document/pages',
    access: 'public',
    summary: '文档的页面：图片地址、文字段落或表格行',
    input: z.object({ id, page: z._default(pageNumber, 1), size: atOnce(MAX_PAGES_PER_REQUEST, 10) }),
    output: z.object({ ...whole, page: z.array(page) }),
  }),
  sharp: endpoint({
    method: 'GET',
    path: '/document/sharp',
    access: 'public',
    summary: '页面的大图，第一次有人放大看时绘制；pending 时稍后再问',
    input: z.object({ id, page: pageNumber }),
    output: z.object({ url: z.string(), pending: z.boolean() }),
  }),
  words: endpoint({
    method: 'GET',
    path: '/document/words',
    access: 'public',
    summary: '页面上的文字与位置，单位为页宽的万分之一',
    input: z.object({ id, page: z._default(pageNumber, 1), size: atOnce(MAX_WORDS_AT_ONCE, 5) }),
    output: z.object({ page: z.array(pageWords) }),
  }),
  find: endpoint({
    method: 'GET',
    path: '/document/find',
    access: 'public',
    summary: '在文档可读的页中查找：每页的次数和第一处的上下文',
    input: z.object({
      id,
      wd: z
        .string('请输入要查找的文字')
        .check(
          z.trim(),
          z.minLength(1, '请输入要查找的文字'),
          z.maxLength(MAX_FIND_LENGTH, `不能超过 ${MAX_FIND_LENGTH} 个字`),
        ),
    }),
    output: z.object({
      total: count,
      /** The text is not there yet. */
      pending: z.boolean(),
      page: z.array(z.object({ page: count, count, snippet: z.string() })),
    }),
  }),
};
