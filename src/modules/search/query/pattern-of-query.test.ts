import { expect, test } from 'vitest';
import { normalizedText, patternOf } from '#modules/text/normalize.ts';
import { seededRandom } from '../golden.fixture.ts';
import { findMatches, needlesOf } from './find-matches.ts';
import type { QueryWord } from './parse-query.ts';

const wordOf = (text: string): QueryWord => ({
  text: normalizedText(text),
  forms: [{ text: normalizedText(text), pieces: [] }],
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
])('what %s has is seen in it as it was written: %s', (text, word) => {
  expect(patternOf(needlesOf([wordOf(word)]))?.test(text)).toBe(true);
});

test('what a folded text has is always seen before it is folded, and what is nowhere mostly not', () => {
  const next = seededRandom(2_027);
  const letters = [...'长長江 \n\t　大橋桥AaＡbB-.*[]^\\+cC１1　é­​的。，㈱ﬁ'];
  const pick = (length: number) => Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('');
  let [held, spared] = [0, 0];
  for (let round = 0; round < 5_000; round += 1) {
    const text = pick(30);
    const word = wordOf(pick(1 + Math.floor(next() * 3)));
    const needles = needlesOf([word]);
    const isSeen = patternOf(needles)?.test(text) ?? false;
    const isHeld = findMatches(normalizedText(text), [word]).length > 0;
    if (isHeld) expect([text, word.text, isSeen]).toEqual([text, word.text, true]);
    held += Number(isHeld);
    spared += Number(!isSeen && needles.length > 0);
  }
  expect(held).toBeGreaterThan(500);
  expect(spared).toBeGreaterThan(500);
});

test.each([
  [
    'a long phrase whose last word is another',
    Array.from({ length: 30 }, (_, at) => `w${at}`).join(' '),
    Array.from({ length: 30 }, (_, at) => `w${at}`).join('        '),
  ],
  ['a gap without end', 'data base', `data${' '.repeat(200_000)}`],
  ['one letter over and over', '一'.repeat(198), `${'一'.repeat(197)}二`.repeat(5_000)],
])('%s is looked for in no time', (_, word, text) => {
  const began = performance.now();
  patternOf(needlesOf([wordOf(`${word} other`)]))?.test(text);
  expect(performance.now() - began).toBeLessThan(500);
});

test('nothing to look for is no pattern', () => {
  expect(patternOf([])).toBeNull();
});
