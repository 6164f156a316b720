import * as z from 'zod/mini';
import { watermarkMode } from '#modules/settings/watermark-mode.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, id } from '#platform/contract/shapes.ts';

const page = z.object({
  page: count,
  paragraphs: z.array(z.string()),
  /** The text was recognized from the picture of a scanned page. */
  recognized: z.boolean(),
  /** For tables, instead of paragraphs. */
  rows: z.array(z.array(z.string())),
});
export type PlainPage = z.infer<typeof page>;

export const plainTextApi = {
  text: endpoint({
    method: 'GET',
    path: '/document/text',
    access: 'public',
    summary: '文字版：可读页面的段落或表格行，按部分给出',
    input: z.object({
      id,
      part: z._default(z.int('页码不正确').check(z.gte(1, '页码从 1 开始'), z.lte(1_000_000, '页码过大')), 1),
    }),
    output: z.object({
      view: z.string(),
      pages: count,
      /** Pages that the caller may read, and the number of parts they are split into. */
      readable: count,
      parts: count,
      /** Pages per part. */
      size: count,
      /** The text is not extracted yet. */
      pending: z.boolean(),
      outline: z.array(z.object({ depth: count, title: z.string(), page: count })),
      /** Whether the text shows who reads it; `/document/watermark` returns the mark. */
      watermark: watermarkMode,
      page: z.array(page),
    }),
  }),
};
