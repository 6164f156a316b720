import type { ReadingWord } from '../../reading.contract.ts';

/** How far a word may lie beside its place in the picture, in heights of its line. */
const OFF = 0.12;

/** How wide a text is by itself, in ems. */
type Measure = (text: string) => number;

/** Words that are written in one go; `scale` stretches them to the width they have in the picture. */
export type TextRun = { text: string; x: number; y: number; height: number; scale: number };

type Measured = { word: ReadingWord; width: number; step: number };

/** As wide as the word is, and as far as the next one is away. */
function measured(word: ReadingWord, measure: Measure): Measured {
  const text = word[0].trimEnd();
  const width = measure(text);
  return { word, width, step: width + measure(' ') * (word[0].length - text.length) };
}

/** What stretches these words to the end of the last one. */
function scaleOf(words: Measured[]): number {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return 1;
  const natural = words.reduce((sum, { step }) => sum + step, last.width - last.step);
  const width = last.word[1] + last.word[3] - first.word[1];
  return natural > 0 && width > 0 ? width / (natural * Math.max(1, first.word[4])) : 1;
}

/** Whether every word, stretched with the others, comes to lie where the picture shows it. */
function isInPlace(words: Measured[]): boolean {
  const first = words[0]?.word;
  if (!first) return false;
  const [, left, top, , height] = first;
  const scale = scaleOf(words) * height;
  const off = OFF * height;
  let start = left;
  for (const { word, step } of words) {
    const isHere = Math.abs(start - word[1]) <= off;
    if (!isHere || Math.abs(word[2] - top) > off || Math.abs(word[4] - height) > off) return false;
    start += step * scale;
  }
  return true;
}

function written(words: Measured[]): TextRun {
  const [, x = 0, y = 0, , height = 0] = words[0]?.word ?? [];
  const text = words.map(({ word }) => word[0]).join('');
  return { text, x, y, height: Math.max(1, height), scale: scaleOf(words) };
}

/**
 * The words of a line in as few pieces as may be: an element for each word is more than a browser
 * should carry while a reader scrolls through a thousand pages.
 */
export function runsOf(line: ReadingWord[], measure: Measure): TextRun[] {
  const runs: Measured[][] = [];
  for (const each of line) {
    const word = measured(each, measure);
    const run = runs.at(-1);
    run?.push(word);
    if (run && isInPlace(run)) continue;
    run?.pop();
    runs.push([word]);
  }
  return runs.map(written);
}
