import type { ReadingWord } from '../../reading.contract.ts';

/** Maximum offset of a word from its position in the image, in line heights. */
const MAX_OFFSET_HEIGHTS = 0.12;

/** Natural width of a text in ems. */
type Measure = (text: string) => number;

/** Words in one element; `scale` stretches them to their width in the image. */
export type TextRun = { text: string; x: number; y: number; height: number; scale: number };

type MeasuredWord = { word: ReadingWord; width: number; step: number };

/** `step`: distance to the start of the next word. */
function measureWord(word: ReadingWord, measure: Measure): MeasuredWord {
  const text = word[0].trimEnd();
  const width = measure(text);
  return { word, width, step: width + measure(' ') * (word[0].length - text.length) };
}

/** Stretches the words to the end of the last one. */
function horizontalScale(words: MeasuredWord[]): number {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return 1;
  const natural = words.reduce((sum, { step }) => sum + step, last.width - last.step);
  const width = last.word[1] + last.word[3] - first.word[1];
  return natural > 0 && width > 0 ? width / (natural * Math.max(1, first.word[4])) : 1;
}

/** Whether every stretched word lies at its position in the image. */
function areWordsAligned(words: MeasuredWord[]): boolean {
  const first = words[0]?.word;
  if (!first) return false;
  const [, left, top, , height] = first;
  const scale = horizontalScale(words) * height;
  const maxOffset = MAX_OFFSET_HEIGHTS * height;
  let start = left;
  for (const { word, step } of words) {
    const isAtStart = Math.abs(start - word[1]) <= maxOffset;
    if (!isAtStart || Math.abs(word[2] - top) > maxOffset || Math.abs(word[4] - height) > maxOffset) return false;
    start += step * scale;
  }
  return true;
}

function toRun(words: MeasuredWord[]): TextRun {
  const [, x = 0, y = 0, , height = 0] = words[0]?.word ?? [];
  const text = words.map(({ word }) => word[0]).join('');
  return { text, x, y, height: Math.max(1, height), scale: horizontalScale(words) };
}

/**
 * Joins the words of a line into as few elements as possible: one element per word would make long documents slow to
 * scroll.
 */
export function joinWordsIntoRuns(line: ReadingWord[], measure: Measure): TextRun[] {
  const runs: MeasuredWord[][] = [];
  for (const each of line) {
    const word = measureWord(each, measure);
    const run = runs.at(-1);
    run?.push(word);
    if (run && areWordsAligned(run)) continue;
    run?.pop();
    runs.push([word]);
  }
  return runs.map(toRun);
}
