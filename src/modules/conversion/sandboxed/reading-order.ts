import type { Word } from './events.ts';

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const CHINESE = /[\u2018-\u201d\u3000-\u9fff\uff00-\uffef]/;
/** Words closer than this part of their height touch each other. */
const TOUCHING = 0.3;

/**
 * The words of a line as they are read. LibreOffice draws characters that a font lacks, like
 * quotation marks, in another font after the rest of the line; the gaps in which they belong come as
 * spaces.
 */
export function sortInReadingOrder(line: readonly Word[]): Word[] {
  const isOrdered = line.every(([, left], index) => index === 0 || left >= (line[index - 1]?.[1] ?? 0));
  if (isOrdered || line.some(([text]) => RIGHT_TO_LEFT.test(text)) || !isOneLine(line)) return [...line];
  const sorted = line.toSorted(([, one], [, other]) => one - other);
  return sorted.map((word, index) => {
    const next = sorted[index + 1];
    return next && isGapFilled(word, next) ? ([word[0].trimEnd(), ...word.slice(1)] as Word) : word;
  });
}

/** Whether all words share a height: text that is turned, or stands above each other, stays as it is. */
function isOneLine(line: readonly Word[]): boolean {
  const top = Math.max(...line.map(([, , top]) => top));
  const bottom = Math.min(...line.map(([, , top, , height]) => top + height));
  return top < bottom;
}

function isGapFilled([text, left, , width, height]: Word, [next, nextLeft]: Word): boolean {
  const touches = nextLeft - (left + width) < height * TOUCHING;
  return text.endsWith(' ') && touches && (CHINESE.test(text.trimEnd().slice(-1)) || CHINESE.test(next[0] ?? ''));
}
