import * as z from 'zod/mini';
import { type RejectionReason, rejectionReasons } from './rejection-reasons.ts';

const count = z.int().check(z.gte(0), z.lte(10_000_000));

/** What the workshop says on its standard output, one object a line. Its word is not trusted. */
export const converterEvent = z.discriminatedUnion('type', [
  /** It is open: how many pages, and the size in pixels of the first. */
  z.object({ type: z.literal('opened'), pages: count, width: count, height: count }),
  /** The file is not there yet. */
  z.object({ type: z.literal('waiting') }),
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
    refusal: z.enum(Object.keys(rejectionReasons) as [RejectionReason, ...RejectionReason[]]),
    detail: z.string().check(z.maxLength(2000)),
  }),
]);
export type ConverterEvent = z.infer<typeof converterEvent>;

/** A word and its box, in ten-thousandths of the page's width. A space behind it belongs to it. */
export type Word = [text: string, x: number, y: number, width: number, height: number];
/** The words of a page, line by line. */
export type PageWords = Word[][];
