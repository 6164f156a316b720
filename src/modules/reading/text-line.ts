import { isWrittenWithoutSpaces } from '#modules/text/wide-characters.contract.ts';
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
  firstRowFonts: RowFonts;
  lastRowFonts: RowFonts;
};

/** The words of a printed row by their height: words of one height have one font, whose tops are comparable. */
type RowFonts = ReadonlyMap<number, { top: number; width: number }>;

/** Whether a line starts or a text ends with Chinese, so that they are joined without a space. */
export const startsWithChinese = (text: string) => isWrittenWithoutSpaces(text.codePointAt(0) ?? 0);
export const endsWithChinese = (text: string) =>
  isWrittenWithoutSpaces(Array.from(text.slice(-2)).at(-1)?.codePointAt(0) ?? 0);

/** A line may have tens of thousands of words, too many for the arguments of Math.min. */
const smallest = (values: number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const largest = (values: number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

function dominantFontHeight(words: ReadingWord[]): number {
  const widths = new Map<number, number>();
  for (const [, , , width, height] of words) widths.set(height, (widths.get(height) ?? 0) + width);
  const [mainHeight = 1] = [...widths.keys()].sort((a, b) => (widths.get(b) ?? 0) - (widths.get(a) ?? 0) || b - a);
  return Math.max(1, mainHeight);
}

function groupByFontHeight(row: ReadingWord[]): RowFonts {
  const fonts = new Map<number, { top: number; width: number }>();
  for (const [, , top, width, height] of row) {
    const font = fonts.get(height);
    fonts.set(height, font ? { top: Math.min(font.top, top), width: font.width + width } : { top, width });
  }
  return fonts;
}

export function createTextLine(words: ReadingWord[]): TextLine | null {
  const text = words
    .map(([word]) => word)
    .join('')
    .trim();
  if (text === '') return null;
  const height = dominantFontHeight(words);
  const mainTops = words.filter(([, , , , wordHeight]) => wordHeight === height).map(([, , top]) => top);
  const [firstTop, lastTop] = [smallest(mainTops), largest(mainTops)];
  const firstRow = words.filter(([, , top]) => top < firstTop + height / 2);
  const lastRow = words.filter(([, , top, , wordHeight]) => top + wordHeight > lastTop + height / 2);
  return {
    text,
    left: smallest(firstRow.map(([, x]) => x)),
    right: largest(lastRow.map(([, x, , width]) => x + width)),
    top: smallest(firstRow.map(([, , top]) => top)),
    lastTop: smallest(lastRow.map(([, , top]) => top)),
    height,
    maxHeight: largest(words.map(([, , , , wordHeight]) => wordHeight)),
    firstWordWidth: words.find(([word]) => word.trim() !== '')?.[3] ?? 0,
    firstRowFonts: groupByFontHeight(firstRow),
    lastRowFonts: groupByFontHeight(lastRow),
  };
}

/** Width of a space relative to the line height. */
const SPACE_HEIGHTS = 0.25;

/** Whether the first word of a line would have fit into the last one; a Chinese character always fits. */
export const wouldFirstWordFit = (line: TextLine, last: TextLine, right: number) =>
  startsWithChinese(line.text) ||
  right - last.right > line.firstWordWidth + Math.min(line.height, last.height) * SPACE_HEIGHTS;
