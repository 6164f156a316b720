import { expect, test } from 'vitest';
import { fitCharacterSpans } from './character-boxes.ts';

/** Characters seen at these shares of the line's width. */
const seenAt = (...characters: [text: string, center: number][]) =>
  characters.map(([text, center]) => ({ text, start: center - 0.01, end: center + 0.01, confidence: 1 }));

test('Chinese characters of equal distance get boxes that touch', () => {
  const spans = fitCharacterSpans(seenAt(['天', 0.1], ['地', 0.3], ['人', 0.5]), 0.2);
  expect(spans.map(({ left }) => Number(left.toFixed(3)))).toEqual([0, 0.2, 0.4]);
  expect(spans.map(({ right }) => Number(right.toFixed(3)))).toEqual([0.2, 0.4, 0.6]);
});

test('a Latin letter gets half of the width of a Chinese character, and boxes do not overlap', () => {
  const spans = fitCharacterSpans(seenAt(['天', 0.1], ['地', 0.3], ['A', 0.44], ['b', 0.52]), 0.2);
  const widths = spans.map(({ left, right }) => right - left);
  expect(widths[2]).toBeLessThan((widths[1] ?? 0) * 0.6);
  for (const [index, { left }] of spans.entries()) expect(left).toBeGreaterThanOrEqual(spans[index - 1]?.right ?? 0);
});

test('a single character is as wide as its line is high', () => {
  const [span] = fitCharacterSpans(seenAt(['天', 0.5]), 0.4);
  expect((span?.right ?? 0) - (span?.left ?? 0)).toBeCloseTo(0.34);
});
