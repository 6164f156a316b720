import { expect, test } from 'vitest';
import type { ReadingWord } from '../../reading.contract.ts';
import { joinWordsIntoRuns } from './text-runs.ts';

/** Every letter is half an em wide, a space a quarter. */
const measure = (text: string) => [...text].reduce((sum, letter) => sum + (letter === ' ' ? 0.25 : 0.5), 0);

/** Words of a typeset line: stretched by `scale`, with `gap` instead of each space. */
function typesetLine(words: string[], { scale = 1, gap = 25, height = 100 } = {}): ReadingWord[] {
  let x = 1_000;
  return words.map((word) => {
    const width = measure(word) * height * scale;
    const positionedWord: ReadingWord = [`${word} `, x, 500, width, height];
    x += width + gap * scale;
    return positionedWord;
  });
}

test('joinWordsIntoRuns joins the words of an evenly set line into one stretched run', () => {
  const [run, ...otherRuns] = joinWordsIntoRuns(typesetLine(['The', 'quick', 'brown', 'fox'], { scale: 1.2 }), measure);
  expect(otherRuns).toEqual([]);
  expect(run).toMatchObject({ text: 'The quick brown fox ', x: 1_000, y: 500, height: 100 });
  expect(run?.scale).toBeCloseTo(1.2, 5);
});

test('joinWordsIntoRuns starts a new run at a column gap, another font size and another baseline', () => {
  const left = typesetLine(['Left', 'column']);
  const right = typesetLine(['right', 'side']).map(([text, x, ...rest]): ReadingWord => [text, x + 5_000, ...rest]);
  expect(joinWordsIntoRuns([...left, ...right], measure).map(({ text, x }) => [text, x])).toEqual([
    ['Left column ', 1_000],
    ['right side ', 6_000],
  ]);
  const raisedWord: ReadingWord = ['2 ', 1_400, 450, 30, 60];
  expect(joinWordsIntoRuns([...left, raisedWord], measure).map(({ text }) => text)).toEqual(['Left column ', '2 ']);
});

test('joinWordsIntoRuns keeps every word within an eighth of its height of its position', () => {
  // Justified text: the gaps are wider than a space, so the offset adds up with every word.
  const line = typesetLine(['aaaa', 'bb', 'cccccc', 'd', 'eeeee', 'ff', 'ggg'], { gap: 60 });
  const runs = joinWordsIntoRuns(line, measure);
  expect(runs.map(({ text }) => text).join('')).toBe(line.map(([text]) => text).join(''));
  const starts = new Map(line.map(([text, x]) => [text.trim(), x]));
  for (const { text, x, scale, height } of runs) {
    let at = x;
    for (const word of text.trim().split(' ')) {
      expect(Math.abs(at - (starts.get(word) ?? 0))).toBeLessThanOrEqual(height / 8);
      at += (measure(word) + measure(' ')) * scale * height;
    }
  }
});

test('joinWordsIntoRuns accepts an empty line and a word without width', () => {
  expect(joinWordsIntoRuns([], measure)).toEqual([]);
  expect(joinWordsIntoRuns([['x', 10, 20, 0, 0]], measure)).toEqual([{ text: 'x', x: 10, y: 20, height: 1, scale: 1 }]);
});
