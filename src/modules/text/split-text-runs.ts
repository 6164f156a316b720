import { isCjkLetter } from './wide-characters.contract.ts';

/** Kinds of characters for the search. */
const SEPARATOR = 0;
/** Chinese, Japanese, Korean, and characters of two UTF-16 units: not delimited by spaces. */
export const CJK_LETTER = 1;
/** Part of a word that is delimited by spaces. */
export const LETTER = 2;

const kinds = new Uint8Array(0x10000);
for (let code = 0; code < 0x10000; code += 1) {
  if (isCjkLetter(code)) kinds[code] = CJK_LETTER;
  else if (/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(code))) kinds[code] = LETTER;
}

export const characterKind = (code: number): number => kinds[code] ?? SEPARATOR;

/** Whether a text contains anything to search for. */
export function hasLetter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (characterKind(text.charCodeAt(at)) !== SEPARATOR) return true;
  return false;
}

/** c++ and c# are separate words. */
const isWordSuffix = (code: number) => code === 0x2b || code === 0x23;

/**
 * 3,150 and 12.8 are one word, including a unit sign (56℃, 20%). A series of numbers is not: 2024.02.01 and 1,2,3 are
 * several words.
 */
const NUMBER = /(?<!\d[.,])\d+(?:,\d{3})*(?:\.\d+)?(?![.,]?\d)[%‰℃℉°]?/y;
const NUMBER_SEPARATORS = /[.,%‰℃℉°]/;

function findNumberEnd(text: string, start: number): number {
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start + 1;
}

/** A number before a unit: 12.8 in 12.8%, 56 in 56℃, 3.5 in 3.5km. Longer words are codes rather than units. */
const NUMBER_WITH_UNIT = /^(\d+(?:,\d{3})*(?:\.\d+)?)[%‰℃℉°]?[a-zμ]{0,4}\d?$/;

/**
 * Other words by which a number is found: the number without its unit, and the parts of a compound one. 12.8mm becomes
 * 12.8, 12 and 8mm. Returns nothing for other words.
 */
export function numberParts(word: string): string[] {
  const parts = NUMBER_SEPARATORS.test(word) ? word.split(NUMBER_SEPARATORS).filter(Boolean) : [];
  const number = NUMBER_WITH_UNIT.exec(word)?.[1];
  return number && number !== word ? [number, ...parts] : parts;
}

export type CharacterRun = { kind: typeof CJK_LETTER | typeof LETTER; start: number; end: number };

/** Splits a normalized text into runs of CJK letters and words of other letters. */
export function* splitTextRuns(text: string): Generator<CharacterRun> {
  for (let start = 0; start < text.length; ) {
    const kind = characterKind(text.charCodeAt(start));
    if (kind === SEPARATOR) {
      start += 1;
      continue;
    }
    let end = findNumberEnd(text, start);
    while (end < text.length && characterKind(text.charCodeAt(end)) === kind) end += 1;
    const isShort = kind === LETTER && end - start <= 2;
    while (isShort && end < text.length && isWordSuffix(text.charCodeAt(end))) end += 1;
    yield { kind: kind as CharacterRun['kind'], start, end };
    start = end;
  }
}

const MAX_WORD_LENGTH = 40;

/** A light stemmer that removes plural, -ed and -ing. Short words and words with digits stay unchanged. */
export function stem(word: string): string {
  const truncatedWord = word.slice(0, MAX_WORD_LENGTH);
  // Thousands separators are optional.
  if (/^\d.*,/.test(truncatedWord)) return truncatedWord.replaceAll(',', '');
  if (truncatedWord.length < 4 || !/^[a-z]+$/.test(truncatedWord)) return truncatedWord;
  const singular = truncatedWord
    .replace(/(ss|us|is)$/, '$1\u0000')
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss|z)es$/, '$1')
    .replace(/s$/, '')
    .replace('\u0000', '');
  const root = singular.replace(/^(.{3,}?)(ing|ed)$/, '$1');
  if (root === singular) return singular.replace(/^(.{3,})e$/, '$1');
  // Undoubles the consonant of "running" and "stopped".
  return root.replace(/([bdgmnprt])\1$/, '$1').replace(/^(.{3,})e$/, '$1');
}
