import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, id } from '#platform/contract/shapes.ts';

const MAX_AT_ONCE = 50;

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
  /** Rows of a table, the number of the first of them, and which sheet they belong to. */
  rows: z.array(z.array(z.string())),
  from_row: count,
  sheet: count,
});
export type ReadingPage = z.infer<typeof page>;

export const readingApi = {
  pages: endpoint({
    method: 'GET',
    path: '/document/pages',
    access: 'public',
    summary: '文档的页面：图片地址、文字段落或表格行',
    input: z.object({
      id,
      page: z._default(
        z.int('页码不正确').check(z.gte(1, '页码从 1 开始'), z.lte(1_000_000, '页码过大')),
        1,
      ),
      size: z._default(
        z
          .int('页数不正确')
          .check(z.gte(1, '页数不正确'), z.lte(MAX_AT_ONCE, `一次最多 ${MAX_AT_ONCE} 页`)),
        10,
      ),
    }),
    output: z.object({
      /** pages, flow or sheet; empty until it is known. */
      view: z.string(),
      pages: count,
      ready_pages: count,
      /** Pages the caller may read. */
      readable: count,
      outline: z.array(z.object({ depth: count, title: z.string(), page: count })),
      sheets: z.array(z.object({ name: z.string(), page: count, rows: count, cut: z.boolean() })),
      page: z.array(page),
    }),
  }),
};
