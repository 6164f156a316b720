import * as z from 'zod/mini';
import { type Refusal, refusals } from './refusals.ts';

const count = z.int().check(z.gte(0), z.lte(10_000_000));

/** What the workshop says on its standard output, one object a line. Its word is not trusted. */
export const workshopEvent = z.discriminatedUnion('type', [
  /** It is open: how many pages, and the size in pixels of the first. */
  z.object({ type: z.literal('opened'), pages: count, width: count, height: count }),
  z.object({ type: z.literal('start'), page: count }),
  /** The files of this page are in the work folder. */
  z.object({ type: z.literal('page'), page: count }),
  /** This page could not be drawn; a note stands in its place. */
  z.object({ type: z.literal('broken'), page: count }),
  z.object({ type: z.literal('cover') }),
  /** The text of all pages is in the work folder. */
  z.object({ type: z.literal('text') }),
  z.object({
    type: z.literal('file'),
    name: z.string().check(z.regex(/^i\/[a-z0-9]{1,64}\.webp$/)),
  }),
  z.object({ type: z.literal('done') }),
  z.object({
    type: z.literal('refused'),
    refusal: z.enum(Object.keys(refusals) as [Refusal, ...Refusal[]]),
    detail: z.string().check(z.maxLength(2000)),
  }),
]);
export type WorkshopEvent = z.infer<typeof workshopEvent>;

/** What the reader needs first; written to meta.json. */
export const contentMeta = z.object({
  /** Width and height of each page, in pixels of its large image; empty for flowing text. */
  sizes: z.array(z.tuple([count, count])),
  /** Contents list: depth from 0, title, page from 1 (0 where it leads nowhere). */
  outline: z.array(z.object({ depth: count, title: z.string(), page: count })),
  /** Where the words of each page lie in words.bin: offsets, one more than pages. */
  words: z.array(count),
  /** Names of the sheets and the first page of each. */
  sheets: z.array(z.object({ name: z.string(), page: count, rows: count, cut: z.boolean() })),
  title: z.string(),
  author: z.string(),
});
export type ContentMeta = z.infer<typeof contentMeta>;

/** A word and its box, in ten-thousandths of the page's width. A space behind it belongs to it. */
export type Word = [text: string, x: number, y: number, width: number, height: number];
/** The words of a page, line by line. */
export type PageWords = Word[][];
