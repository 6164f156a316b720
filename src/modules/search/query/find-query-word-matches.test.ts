import { expect, test } from 'vitest';
import { findQueryWordMatches } from './find-query-word-matches.ts';

const createQueryWord = (text: string) => ({ text, forms: [{ text, pieces: [] }], weight: 1, isPhrase: false });

test.each([
  ['3.5', '长3.5km', ['3.5']],
  ['12.8', '增长12.8%', ['12.8']],
  ['50', '重50kg，共50人', ['50', '50']],
  ['12.8', '12.85 112.8', []],
  ['50', '150 500 a50', []],
  ['room', 'rooms roomy', ['rooms']],
])('findQueryWordMatches finds the word %s in the text "%s" as %j', (word, text, ranges) => {
  const matches = findQueryWordMatches(text, [createQueryWord(word)]);
  expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual(ranges);
});
