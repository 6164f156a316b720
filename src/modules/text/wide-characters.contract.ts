/**
 * Kinds of wide characters by code point. They compare ranges of code points, because the search and the converters call them for
 * every character. Patterns by Unicode script use `src/platform/contract/cjk-scripts.ts`.
 */

const isIdeographicPlane = (code: number) => code >= 0x20000 && code <= 0x3ffff;
/** Half of a character of two UTF-16 units. */
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

/** Fonts of PDF files use these code points for glyphs of common characters. */
export const isCjkRadical = (code: number) => code >= 0x2e80 && code <= 0x2fdf;
export const isCompatibilityIdeograph = (code: number) => code >= 0xf900 && code <= 0xfaff;

/** Drawn as wide as it is high: for widths of text. Half-width katakana is not, Hangul is. */
export function isWideCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xa960 && code <= 0xa97f) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    isCompatibilityIdeograph(code) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff01 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    isIdeographicPlane(code)
  );
}

/** Width in half-width columns, as in a terminal. */
export const displayWidth = (text: string): number =>
  Array.from(text).reduce((width, character) => width + (isWideCharacter(character) ? 2 : 1), 0);

/**
 * Written without spaces: a space or line end beside it has no meaning. Chinese and Japanese with their punctuation;
 * not Hangul, which is written with spaces. Halves of characters count, for callers that read UTF-16 units.
 */
export const isWrittenWithoutSpaces = (code: number): boolean =>
  (code >= 0x2e80 && code <= 0x9fff) ||
  isSurrogate(code) ||
  isCompatibilityIdeograph(code) ||
  (code >= 0xff00 && code <= 0xffef) ||
  isIdeographicPlane(code);

/**
 * Letter of Chinese, Japanese or Korean without punctuation: the search splits runs of them with a dictionary. Every
 * surrogate counts, because most are halves of rare ideographs; emoji are included.
 */
export const isCjkLetter = (code: number): boolean =>
  isCjkRadical(code) ||
  (code >= 0x3005 && code <= 0x3007) ||
  (code >= 0x3041 && code <= 0x30ff && code !== 0x30fb) ||
  (code >= 0x3105 && code <= 0x31ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7ff) ||
  isSurrogate(code) ||
  isCompatibilityIdeograph(code);
