import { expect, test } from 'vitest';
import { normalizeForSearch } from './normalize-text.ts';
import { numberParts, splitTextRuns } from './split-text-runs.ts';

const wordsOf = (text: string) => {
  const normalizedBody = normalizeForSearch(text);
  return [...splitTextRuns(normalizedBody)].map(({ start, end }) => normalizedBody.slice(start, end));
};

test.each([
  ['3,150', ['3,150']],
  ['３，１５０.75', ['3,150.75']],
  ['12.8', ['12.8']],
  ['56℃', ['56℃']],
  ['56°C', ['56°c']],
  ['20%', ['20%']],
  ['12.8mm', ['12.8mm']],
  ['2024.02.01', ['2024', '02', '01']],
  ['1,2,3', ['1', '2', '3']],
  ['12,5', ['12', '5']],
  ['v1.2', ['v1', '2']],
  ['共3,150元', ['共', '3,150', '元']],
  ['第12.8节。', ['第', '12.8', '节']],
])('splitTextRuns splits %s into the words %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test.each([
  ['12.8%', ['12.8', '12', '8']],
  ['36.5℃', ['36.5', '36', '5']],
  ['56℃', ['56', '56']],
  ['56°c', ['56', '56', 'c']],
  ['12.8mm', ['12.8', '12', '8mm']],
  ['100km2', ['100']],
  ['3,150', ['3', '150']],
  ['50kg', ['50']],
  ['150', []],
  ['mp3', []],
  ['1a2b3c', []],
])('numberParts finds the number %s also by %j', (word, parts) => {
  expect(numberParts(word)).toEqual(parts);
});
