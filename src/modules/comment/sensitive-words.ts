import { normalizedText } from '#modules/text/normalize.ts';

/** As it is read, not as it is written: without case, width, script, spaces and marks between the letters. */
const plain = (text: string): string =>
  normalizedText(text.normalize('NFKC').toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, '');

/** The first of these words that is in the text; undefined when there is none. */
export function findSensitive(text: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const whole = plain(text);
  return words.find((word) => {
    const letters = plain(word);
    // A word of marks alone is looked for as it is.
    return letters === '' ? text.includes(word) : whole.includes(letters);
  });
}
