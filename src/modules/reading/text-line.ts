import { isUnspaced } from '#modules/text/wide-characters.contract.ts';
import type { ReadingWord } from './reading.contract.ts';

/**
 * A line of a page, in the units of `ReadingWord`. The PDF engine returns the lines of a hyphenated word as one:
 * `left` and `top` belong to the first printed line, `right` and `lastTop` to the last.
 */
export type TextLine = {
  text: string;
  left: number;
  right: number;
  top: number;
  lastTop: number;
  /** Height of the font that fills most of the line: a bullet is often set in a larger one. */
  height: number;
  firstWordWidth: number;
};

/** Whether a line starts or a text ends with Chinese, so that they are joined without a space. */
export const startsUnspaced = (text: string) => isUnspaced(text.codePointAt(0) ?? 0);
export const endsUnspaced = (text: string) => isUnspaced(Array.from(text.slice(-2)).at(-1)?.codePointAt(0) ?? 0);

function mainHeightOf(words: ReadingWord[]): number {
  const widths = new Map<number, number>();
  for (const [, , , width, height] of words) widths.set(height, (widths.get(height) ?? 0) + width);
  const [mainHeight = 1] = [...widths.keys()].sort(
    (one, other) => (widths.get(other) ?? 0) - (widths.get(one) ?? 0) || other - one,
  );
  return Math.max(1, mainHeight);
}

export function textLineOf(words: ReadingWord[]): TextLine | null {
  const text = words
    .map(([word]) => word)
    .join('')
    .trim();
  if (text === '') return null;
  const height = mainHeightOf(words);
  const tops = words.filter(([, , , , each]) => each === height).map(([, , top]) => top);
  const [top, lastTop] = [Math.min(...tops), Math.max(...tops)];
  const isLastRow = ([, , y, , each]: ReadingWord) => y + each > lastTop + height / 2;
  const isFirstRow = ([, , y]: ReadingWord) => y < top + height / 2;
  return {
    text,
    left: Math.min(...words.filter(isFirstRow).map(([, x]) => x)),
    right: Math.max(...words.filter(isLastRow).map(([, x, , width]) => x + width)),
    top,
    lastTop,
    height,
    firstWordWidth: words.find(([word]) => word.trim() !== '')?.[3] ?? 0,
  };
}

export const differsInSize = (one: TextLine, other: TextLine) =>
  Math.abs(one.height - other.height) > Math.max(one.height, other.height) * 0.3;

/** Width of a space relative to the line height. */
const SPACE_HEIGHTS = 0.25;

/** Whether the first word of a line would have fit into the last one; a Chinese character always fits. */
export const wouldFit = (line: TextLine, last: TextLine, right: number) =>
  startsUnspaced(line.text) ||
  right - last.right > line.firstWordWidth + Math.min(line.height, last.height) * SPACE_HEIGHTS;
