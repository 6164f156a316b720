import { normalizedText } from '#modules/text/normalize.ts';
import { initialsOf, toPinyinWords } from './pinyin.ts';
import { keyOf, pinyinTermKey } from './term-keys.ts';

const MAX_STARTS = 5;
export const MAX_TEXT_PREFIX = 4;
const MAX_SPOKEN = 10;
const MAX_INITIALS = 5;

/** As numbers of the database, which have a sign. */
export const textKey = (text: string) => keyOf(text.slice(0, MAX_TEXT_PREFIX)) | 0;
export const pinyinKey = (sound: string) => pinyinTermKey(sound.slice(0, MAX_SPOKEN)) | 0;

/** Keys of the beginnings of a text and of its words: as written, as spoken, by first letters. */
export async function prefixesOf(text: string): Promise<number[]> {
  const folded = normalizedText(text);
  const words = await toPinyinWords(folded);
  const keys = new Set<number>();
  for (const [at, { start }] of words.slice(0, MAX_STARTS).entries()) {
    // One letter begins too much: it counts for the whole alone.
    const least = at === 0 ? 1 : 2;
    for (let size = 1; size <= MAX_TEXT_PREFIX; size += 1) keys.add(textKey(folded.slice(start, start + size)));
    const syllables = words.slice(at, at + 4).flatMap((word) => word.syllables);
    const sound = syllables.join('');
    for (let size = least; size <= Math.min(MAX_SPOKEN, sound.length); size += 1)
      keys.add(pinyinKey(sound.slice(0, size)));
    const initials = initialsOf(syllables);
    for (let size = 2; size <= Math.min(MAX_INITIALS, initials.length); size += 1)
      keys.add(pinyinKey(initials.slice(0, size)));
  }
  return [...keys];
}

/** How a text sounds from its beginning on. */
export const pinyinOf = async (folded: string): Promise<string> =>
  (await toPinyinWords(folded)).flatMap(({ syllables }) => syllables).join('');

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** All words one slip away: a letter too many, too few, another one, or two in the wrong order. */
export function singleEditVariants(word: string): string[] {
  const slips = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (tail) slips.add(head + tail.slice(1));
    if (tail.length > 1) slips.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
    for (const letter of LETTERS) {
      if (tail) slips.add(head + letter + tail.slice(1));
      slips.add(head + letter + tail);
    }
  }
  slips.delete(word);
  return [...slips];
}
