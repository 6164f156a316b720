import { expect, test } from 'vitest';
import { createPrefilter, normalizeForSearch } from '#modules/text/normalize-text.ts';
import { processCpuMs } from '#testing/processor-time.ts';
import { seededRandom } from '../golden-queries.fixture.ts';
import { collectSearchNeedles, findQueryWordMatches } from './find-query-word-matches.ts';
import type { QueryWord } from './parse-query.ts';

const createQueryWord = (text: string): QueryWord => ({
  text: normalizeForSearch(text),
  forms: [{ text: normalizeForSearch(text), pieces: [] }],
  weight: 1,
  isPhrase: true,
});

test.each([
  ['長江', '长江'],
  ['长 江\n大桥', '长江大桥'],
  ['ＤＡＴＡ Base', 'data base'],
  ['Reading Rooms', 'room'],
  ['⾦融', '金融'],
  ['a-b.c*', 'b.c'],
])('createPrefilter matches the original text %s for the word %s', (text, word) => {
  expect(createPrefilter(collectSearchNeedles([createQueryWord(word)]))?.test(text)).toBe(true);
});

test('createPrefilter matches every text whose normalized form has a match, and rejects many texts without one', () => {
  const random = seededRandom(2_027);
  const letters = [...'长長江 \n\t　大橋桥AaＡbB-.*[]^\\+cC１1　é­​的。，㈱ﬁ'];
  const randomText = (length: number) =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
  let [matchCount, rejectedCount] = [0, 0];
  for (let round = 0; round < 5_000; round += 1) {
    const text = randomText(30);
    const word = createQueryWord(randomText(1 + Math.floor(random() * 3)));
    const needles = collectSearchNeedles([word]);
    const isPrefiltered = createPrefilter(needles)?.test(text) ?? false;
    const isMatch = findQueryWordMatches(normalizeForSearch(text), [word]).length > 0;
    if (isMatch) expect([text, word.text, isPrefiltered]).toEqual([text, word.text, true]);
    matchCount += Number(isMatch);
    rejectedCount += Number(!isPrefiltered && needles.length > 0);
  }
  expect(matchCount).toBeGreaterThan(500);
  expect(rejectedCount).toBeGreaterThan(500);
});

test.each([
  [
    'a long phrase with a different last word',
    Array.from({ length: 30 }, (_, at) => `w${at}`).join(' '),
    Array.from({ length: 30 }, (_, at) => `w${at}`).join('        '),
  ],
  ['a very long gap', 'data base', `data${' '.repeat(200_000)}`],
  ['one repeated letter', '一'.repeat(198), `${'一'.repeat(197)}二`.repeat(5_000)],
])('createPrefilter searches in less than 500 ms of processor time: %s', (_, word, text) => {
  const startedAt = processCpuMs();
  createPrefilter(collectSearchNeedles([createQueryWord(`${word} other`)]))?.test(text);
  expect(processCpuMs() - startedAt).toBeLessThan(500);
});

test('createPrefilter returns null without words', () => {
  expect(createPrefilter([])).toBeNull();
});
