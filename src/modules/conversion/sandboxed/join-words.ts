import type { PageWords } from './events.ts';

export const joinWords = (words: PageWords): string =>
  words
    .map((line) =>
      line
        .map(([text]) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
