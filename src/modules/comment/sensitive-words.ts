import { normalizeForSearch } from '#modules/text/normalize-text.ts';

/** Removes differences of case, width and script, and all characters between the letters. */
const normalizeForMatching = (text: string): string =>
  normalizeForSearch(text.normalize('NFKC').toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, '');

export function findSensitiveWord(text: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const comparableText = normalizeForMatching(text);
  return words.find((word) => {
    const letters = normalizeForMatching(word);
    // A word without letters is compared literally.
    return letters === '' ? text.includes(word) : comparableText.includes(letters);
  });
}
