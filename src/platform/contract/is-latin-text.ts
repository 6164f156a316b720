import { CJK } from './cjk-scripts.ts';

/** Largest share of Chinese, Japanese and Korean characters in a Latin text. */
const MAX_CJK_SHARE = 0.05;
const CJK_LETTERS = new RegExp(`[${CJK}]`, 'gu');
const LATIN = /\p{sc=Latin}/gu;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Whether a text is mostly written in Latin letters. */
export function isLatinText(text: string): boolean {
  const cjkLetters = count(text, CJK_LETTERS);
  const letters = cjkLetters + count(text, LATIN);
  return letters > 0 && cjkLetters <= letters * MAX_CJK_SHARE;
}
