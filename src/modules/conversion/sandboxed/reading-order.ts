import { isWrittenWithoutSpaces } from '#modules/text/wide-characters.contract.ts';
import type { Word } from './events.ts';

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const CURLY_QUOTE = /[\u2018-\u201d]/;
/** Words with a smaller gap, as a share of their height, are adjacent. */
const MAX_ADJACENT_GAP_RATIO = 0.3;
/** Beside Latin letters a larger gap is a typed space; fonts are up to three times as high as their letters. */
const MAX_LATIN_GAP_RATIO = 0.05;
/** All words of one row share at least this part of the height of the smallest. Boxes of two rows may overlap a little. */
const MIN_OVERLAP_RATIO = 0.3;

/**
 * Sorts the words of a line. LibreOffice draws characters that a font lacks, such as quotation marks, in another font
 * after the rest of the line; their gaps appear as spaces.
 */
export function sortInReadingOrder(line: readonly Word[]): Word[] {
  const isOrdered = line.every(([, left], index) => index === 0 || left >= (line[index - 1]?.[1] ?? 0));
  if (isOrdered || line.some(([text]) => RIGHT_TO_LEFT.test(text)) || !isOneLine(line)) return [...line];
  const sortedWords = line
    .map((word, drawnAt) => ({ word, drawnAt }))
    .toSorted(({ word: [, a] }, { word: [, b] }) => a - b);
  return sortedWords.map(({ word, drawnAt }, index) => {
    const next = sortedWords[index + 1];
    // Between words that were drawn one after the other the space is part of the text.
    if (!next || next.drawnAt === drawnAt + 1 || !isSpaceOnlyFontGap(word, next.word)) return word;
    const [text, ...box] = word;
    return [text.trimEnd(), ...box];
  });
}

const isChinese = (character: string) => isWrittenWithoutSpaces(character.charCodeAt(0)) || CURLY_QUOTE.test(character);

/** Rotated text and text on several lines keeps its order. */
function isOneLine(line: readonly Word[]): boolean {
  const top = Math.max(...line.map(([, , top]) => top));
  const bottom = Math.min(...line.map(([, , top, , height]) => top + height));
  const smallestHeight = Math.min(...line.map(([, , , , height]) => height));
  return bottom - top > smallestHeight * MIN_OVERLAP_RATIO;
}

function isSpaceOnlyFontGap([text, left, , width, height]: Word, [next, nextLeft, , , nextHeight]: Word): boolean {
  const gap = nextLeft - (left + width);
  const [isBeforeChinese, isAfterChinese] = [isChinese(text.trimEnd().slice(-1)), isChinese(next.charAt(0))];
  if (!text.endsWith(' ') || !(isBeforeChinese || isAfterChinese)) return false;
  if (isBeforeChinese && isAfterChinese) return gap < height * MAX_ADJACENT_GAP_RATIO;
  return gap < Math.min(height, nextHeight) * MAX_LATIN_GAP_RATIO;
}
