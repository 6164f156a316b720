import { RejectedFileError } from './rejection-reasons.ts';

/** Parsing time grows with the square of the depth. */
const MAX_NESTING = 30_000;

/** Counts the open elements of a page or XML part and rejects it when there are too many. */
export function nestingCounter() {
  let depth = 0;
  return {
    open() {
      depth++;
      if (depth > MAX_NESTING) throw new RejectedFileError('nested');
    },
    close() {
      depth--;
    },
  };
}

/** Recursive parsers overflow the stack before they reach the limit. */
export const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/i.test(error.message);
