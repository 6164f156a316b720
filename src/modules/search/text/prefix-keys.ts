import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { hashWord } from '#modules/text/word-hash.ts';
import { pinyinInitialsOf, toPinyinWords } from './pinyin.ts';
import { pinyinTermKey } from './term-keys.ts';

const MAX_START_WORDS = 5;
export const MAX_TEXT_PREFIX_CHARS = 4;
const MAX_PINYIN_PREFIX_CHARS = 10;
const MAX_INITIALS_CHARS = 5;

/** Keys are signed 32-bit integers, as PostgreSQL stores them. */
export const textPrefixKey = (text: string) => hashWord(text.slice(0, MAX_TEXT_PREFIX_CHARS)) | 0;
export const pinyinPrefixKey = (pinyin: string) => pinyinTermKey(pinyin.slice(0, MAX_PINYIN_PREFIX_CHARS)) | 0;

/** Keys of the prefixes of a text and of its words: as written, in pinyin, and as pinyin initials. */
export async function prefixKeysOf(text: string): Promise<number[]> {
  const normalizedTitle = normalizeForSearch(text);
  const words = await toPinyinWords(normalizedTitle);
  const keys = new Set<number>();
  for (const [at, { start }] of words.slice(0, MAX_START_WORDS).entries()) {
    // A one-letter prefix matches too many words, so only the start of the text has one.
    const minLength = at === 0 ? 1 : 2;
    for (let size = 1; size <= MAX_TEXT_PREFIX_CHARS; size += 1)
      keys.add(textPrefixKey(normalizedTitle.slice(start, start + size)));
    const syllables = words.slice(at, at + 4).flatMap((word) => word.syllables);
    const pinyin = syllables.join('');
    for (let size = minLength; size <= Math.min(MAX_PINYIN_PREFIX_CHARS, pinyin.length); size += 1)
      keys.add(pinyinPrefixKey(pinyin.slice(0, size)));
    const initials = pinyinInitialsOf(syllables);
    for (let size = 2; size <= Math.min(MAX_INITIALS_CHARS, initials.length); size += 1)
      keys.add(pinyinPrefixKey(initials.slice(0, size)));
  }
  return [...keys];
}

export const pinyinOf = async (normalizedWord: string): Promise<string> =>
  (await toPinyinWords(normalizedWord)).flatMap(({ syllables }) => syllables).join('');

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** All words at edit distance one: insertion, deletion, substitution or transposition. */
export function singleEditVariants(word: string): string[] {
  const variants = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (tail) variants.add(head + tail.slice(1));
    if (tail.length > 1) variants.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
    for (const letter of LETTERS) {
      if (tail) variants.add(head + letter + tail.slice(1));
      variants.add(head + letter + tail);
    }
  }
  variants.delete(word);
  return [...variants];
}
