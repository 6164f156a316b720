import * as z from 'zod/mini';
import { sectionCellLinks, sectionLinks } from '#modules/conversion/cell-link.contract.ts';
import { sectionMergedCells, sectionStyles } from '#modules/conversion/cell-style.contract.ts';
import { sectionPictures } from '#modules/conversion/sheet-picture.contract.ts';
import { watermarkMode } from '#modules/settings/watermark-mode.contract.ts';
import { MAX_FIND_LENGTH } from '#modules/text/match-text.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, id } from '#platform/contract/shapes.ts';

export const MAX_PAGES_PER_REQUEST = 50;
const MAX_WORD_PAGES_PER_REQUEST = 20;

const page = z.object({
  page: count,
  /** Not rendered yet; this request gives it priority. */
  pending: z.boolean(),
  /** URLs of the two image sizes, valid for about an hour; empty for texts and tables. */
  url: z.string(),
  small_url: z.string(),
  width: count,
  height: count,
  /** Section of a reflowable text. */
  html: z.string(),
  rows: z.array(z.array(z.string())),
  /** Numbers that the rows have in the workbook; absent if no row of the sheet is hidden. */
  row_numbers: z.optional(z.array(count)),
  /** First row and column (zero-based) of each merged cell, and its numbers of rows and columns. */
  merged_cells: z.optional(sectionMergedCells),
  /** Appearance of the cells; absent if none is styled. */
  cell_styles: z.optional(sectionStyles),
  /** Row and column (zero-based) of each cell with a link, and its URL. */
  links: z.optional(sectionLinks),
  /** Row and column of each cell with a link to another cell, and its sheet, row and column. */
  cell_links: z.optional(sectionCellLinks),
  /** First row and column of each picture over the cells, its numbers of rows and columns, its URL and its description. */
  pictures: z.optional(sectionPictures),
});
export type ReadingPage = z.infer<typeof page>;

const pageNumber = z.int('页码不正确').check(z.gte(1, '页码从 1 开始'), z.lte(1_000_000, '页码过大'));
const pageCountInput = (max: number, defaultCount: number) =>
  z._default(z.int('页数不正确').check(z.gte(1, '页数不正确'), z.lte(max, `一次最多 ${max} 页`)), defaultCount);

const readingState = {
  /** `pages`, `flow` or `sheet`; empty until it is known. */
  view: z.string(),
  pages: count,
  ready_pages: count,
  /** Number of pages that the caller may read. */
  readable: count,
};

/** A word and its box (x, y, width, height) in ten-thousandths of the page width; includes the trailing space. */
const word = z.tuple([z.string(), count, count, count, count]);
const pageWords = z.object({
  page: count,
  lines: z.array(z.array(word)),
  /** The words were recognized from the picture of a scanned page. */
  recognized: z.boolean(),
});
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
      ...readingState,
      outline: z.array(z.object({ depth: count, title: z.string(), page: count })),
      sheets: z.array(
        z.object({
          name: z.string(),
          page: count,
          rows: count,
          cut: z.boolean(),
          /** Cells of the longest row, if known. */
          columns: z.optional(count),
          /** Numbers (from 1) that the columns have in the workbook; absent if no column is hidden between them. */
          column_numbers: z.optional(z.array(count)),
          /** Declared widths in characters, 0 for the default; absent if none is declared. */
          widths: z.optional(z.array(count)),
          /** Numbers of rows and columns that stay visible; absent if the file freezes none. */
          frozen: z.optional(z.tuple([count, count])),
        }),
      ),
      /** Sizes of the readable pages; an entry applies until the next one. */
      sizes: z.array(z.object({ page: count, width: count, height: count })),
      may_copy: z.boolean(),
      may_print: z.boolean(),
      /** Whether pages show who reads them; `/document/watermark` returns the text. */
      watermark: watermarkMode,
    }),
  }),
  pages: endpoint({
    method: 'GET',
    path: '/document/pages',
    access: 'public',
    summary: '文档的页面：图片地址、文字段落或表格行',
    input: z.object({ id, page: z._default(pageNumber, 1), size: pageCountInput(MAX_PAGES_PER_REQUEST, 10) }),
    output: z.object({ ...readingState, page: z.array(page) }),
  }),
  hiResPage: endpoint({
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
    input: z.object({ id, page: z._default(pageNumber, 1), size: pageCountInput(MAX_WORD_PAGES_PER_REQUEST, 5) }),
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
      /** The text is not extracted yet. */
      pending: z.boolean(),
      page: z.array(z.object({ page: count, count, snippet: z.string() })),
    }),
  }),
};
