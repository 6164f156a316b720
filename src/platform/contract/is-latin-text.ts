/** Largest share of Chinese, Japanese and Korean characters in a Latin text. */
const MAX_WIDE_SHARE = 0.05;
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const LATIN = /\p{sc=Latin}/gu;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Whether a text is mostly written in Latin letters. */
export function isLatinText(text: string): boolean {
  const wide = count(text, WIDE);
  const letters = wide + count(text, LATIN);
  return letters > 0 && wide <= letters * MAX_WIDE_SHARE;
}
