import { createHash } from 'node:crypto';

/** Hashes of words: small to store, and the text cannot be read back from them. They are stored, so they never change. */

const FNV_PRIME = 0x01000193;
/** Start value for `addToHash`. */
export const EMPTY_HASH = 0x811c9dc5;

/** One step of FNV-1a for a UTF-16 unit. */
export const addToHash = (hash: number, code: number): number =>
  Math.imul(Math.imul(hash ^ (code & 0xff), FNV_PRIME) ^ (code >>> 8), FNV_PRIME);

/** The finalizer of MurmurHash3, so that similar words get distant hashes. */
export function finalizeHash(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Unsigned 32-bit hash of a normalized word: the term keys of the search index. */
export function hashWord(word: string): number {
  let hash = EMPTY_HASH;
  for (let index = 0; index < word.length; index += 1) hash = addToHash(hash, word.charCodeAt(index));
  return finalizeHash(hash);
}

/** Signed 32-bit hash of a word in any case and width: the keywords of related documents. */
export const hashKeyword = (word: string): number =>
  createHash('sha1').update(word.normalize('NFKC').toLowerCase()).digest().readInt32BE(0);
