import * as z from 'zod/mini';
import { type RejectionReason, rejectionReasons } from './rejection-reasons.ts';

const count = z.int().check(z.gte(0), z.lte(10_000_000));

/**
 * Events that the sandboxed converter writes to standard output, one JSON object per line. The parent process does not
 * trust them.
 */
export const converterEvent = z.discriminatedUnion('type', [
  /** The file is open; width and height are those of the first page image. */
  z.object({ type: z.literal('opened'), pages: count, width: count, height: count }),
  /** The input file does not exist yet. */
  z.object({ type: z.literal('waiting') }),
  z.object({ type: z.literal('start'), page: count }),
  /** The HEIC images of an archive are in the work folder, for the program that decodes them; no PDF was written. */
  z.object({ type: z.literal('heic-extracted') }),
  /** The files of this page are in the work folder. */
  z.object({ type: z.literal('page'), page: count }),
  /** The page could not be drawn; its image is a placeholder. */
  z.object({ type: z.literal('broken'), page: count }),
  /** The recognized text of this page is in the work folder. */
  z.object({ type: z.literal('recognized'), page: count }),
  z.object({ type: z.literal('cover') }),
  /** The text of all pages is in the work folder. */
  z.object({ type: z.literal('text') }),
  z.object({
    type: z.literal('file'),
    name: z.string().check(z.regex(/^i\/[a-z0-9]{1,64}\.webp$/)),
  }),
  z.object({ type: z.literal('done') }),
  z.object({
    type: z.literal('rejected'),
    reason: z.enum(Object.keys(rejectionReasons) as [RejectionReason, ...RejectionReason[]]),
    detail: z.string().check(z.maxLength(2000)),
  }),
]);
export type ConverterEvent = z.infer<typeof converterEvent>;

/** A word and its box, in ten-thousandths of the page width. A trailing space belongs to the word. */
export type Word = [text: string, x: number, y: number, width: number, height: number];
/** The words of a page, line by line. */
export type PageWords = Word[][];
