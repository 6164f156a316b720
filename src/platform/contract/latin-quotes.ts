import { CJK } from './cjk-scripts.ts';
import { isLatinText } from './is-latin-text.ts';

const APOSTROPHE = /(?<=[\p{sc=Latin}\d])’(?=\p{sc=Latin})/gu;
const DOUBLE_QUOTES = /“[^“”]*”/g;
/** With apostrophes inside. */
const SINGLE_QUOTES = /‘[^‘’“”]*(?:’(?=\p{sc=Latin})[^‘’“”]*)*’/gu;
const LATIN = /[\p{sc=Latin}\d]/u;
/** CJK letters, CJK punctuation and full-width forms. */
const CJK_OR_FULL_WIDTH = new RegExp(`[${CJK}\\u3000-\\u303f\\uff00-\\uffef]`, 'u');
/** Characters of Latin and of Chinese punctuation. Chinese dashes and ellipses consist of two. */
const SHARED_PUNCTUATION = '—…·';

/** Whether the text that begins at the index, read in the direction of the step, begins with Chinese. */
function isChineseAt(text: string, index: number, step: 1 | -1): boolean {
  const character = text.charAt(index);
  if (character === '' || !SHARED_PUNCTUATION.includes(character)) return CJK_OR_FULL_WIDTH.test(character);
  const next = text.charAt(index + step);
  return next === character || CJK_OR_FULL_WIDTH.test(next);
}

/** Whether a pair of quotes encloses Latin words and does not belong to a Chinese sentence, which touches it. */
function isLatinPair(text: string, start: number, end: number): boolean {
  if (LATIN.test(text.charAt(start - 1)) || LATIN.test(text.charAt(end + 1))) return false;
  if (isChineseAt(text, start - 1, -1) || isChineseAt(text, end + 1, 1)) return false;
  return isLatinText(text.slice(start + 1, end));
}

/** Positions of the quotes and apostrophes of Latin words in a Chinese text, which a Chinese font draws full-width. */
export function findLatinQuotes(text: string): Set<number> {
  const positions = new Set<number>();
  for (const { index } of text.matchAll(APOSTROPHE)) positions.add(index);
  for (const pairs of [DOUBLE_QUOTES, SINGLE_QUOTES])
    for (const { index, 0: pair } of text.matchAll(pairs)) {
      const end = index + pair.length - 1;
      if (isLatinPair(text, index, end)) positions.add(index).add(end);
    }
  return positions;
}
