import type { PageWords } from './events.ts';

/** The text of a page, line by line. */
export const joinWords = (words: PageWords): string =>
  words
    .map((line) =>
      line
        .map(([text]) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
