import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { addToHash, EMPTY_HASH, finalizeHash } from '#modules/text/word-hash.ts';

/** Characters of a gram. */
const GRAM_LENGTH = 5;
/** Shorter texts, such as forms and letters, are similar without being copies. */
export const MIN_TEXT_LENGTH = 400;
export const SKETCH_SIZE = 512;
/** Hashes are collected up to this number before the highest ones are dropped. */
const BUFFER_SIZE = 8 * SKETCH_SIZE;

/** Only letters and digits: layout, punctuation and the script of Chinese do not count. */
export const lettersOf = (text: string): string => normalizeForSearch(text).replace(/[^\p{L}\p{N}]/gu, '');

function hashGram(text: string, from: number): number {
  let hash = EMPTY_HASH;
  for (let index = from; index < from + GRAM_LENGTH; index += 1) hash = addToHash(hash, text.charCodeAt(index));
  return finalizeHash(hash);
}

const lowestDistinct = (hashes: readonly number[]): number[] =>
  [...new Set(hashes)].sort((a, b) => a - b).slice(0, SKETCH_SIZE);

/**
 * The lowest hashes of the distinct grams of a text, ascending (MinHash with one hash function): a random sample that is the
 * same for equal texts, and of which similar texts share the more the more similar they are. Empty for a short text.
 */
export function createTextSketch(text: string): Uint32Array {
  const letters = lettersOf(text);
  if (letters.length < MIN_TEXT_LENGTH) return new Uint32Array();
  let lowest: number[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (let from = 0; from + GRAM_LENGTH <= letters.length; from += 1) {
    const hash = hashGram(letters, from);
    if (hash >= limit) continue;
    lowest.push(hash);
    if (lowest.length < BUFFER_SIZE) continue;
    lowest = lowestDistinct(lowest);
    if (lowest.length === SKETCH_SIZE) limit = lowest.at(-1) ?? limit;
  }
  return Uint32Array.from(lowestDistinct(lowest));
}
