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
  maxHeight: number;
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
  const mainTops = words.filter(([, , , , each]) => each === height).map(([, , top]) => top);
  const firstRow = words.filter(([, , top]) => top < Math.min(...mainTops) + height / 2);
  const lastRow = words.filter(([, , top, , each]) => top + each > Math.max(...mainTops) + height / 2);
  return {
    text,
    left: Math.min(...firstRow.map(([, x]) => x)),
    right: Math.max(...lastRow.map(([, x, , width]) => x + width)),
    top: Math.min(...firstRow.map(([, , top]) => top)),
    lastTop: Math.min(...lastRow.map(([, , top]) => top)),
    height,
    maxHeight: Math.max(...words.map(([, , , , each]) => each)),
    firstWordWidth: words.find(([word]) => word.trim() !== '')?.[3] ?? 0,
  };
}

const differ = (one: number, other: number) => Math.abs(one - other) > Math.max(one, other) * 0.3;

/** Lines of one size share a font: Chinese fonts are higher than Latin ones, and a line may be mostly Latin. */
export const differsInSize = (one: TextLine, other: TextLine) =>
  differ(one.height, other.height) && differ(one.maxHeight, other.maxHeight);

/** Width of a space relative to the line height. */
const SPACE_HEIGHTS = 0.25;

/** Whether the first word of a line would have fit into the last one; a Chinese character always fits. */
export const wouldFit = (line: TextLine, last: TextLine, right: number) =>
  startsUnspaced(line.text) ||
  right - last.right > line.firstWordWidth + Math.min(line.height, last.height) * SPACE_HEIGHTS;
