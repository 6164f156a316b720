/** Above this share of meaningless characters the text of a page is unusable. */
const MAX_MEANINGLESS_SHARE = 0.3;
/** The code that the engine reports for a hyphen at the end of a row. */
export const ROW_END_HYPHEN = 2;

const isSpace = (code: number) => code === 9 || code === 10 || code === 13 || code === 32;

/** Control, private-use, replacement and undefined characters. */
const isMeaningless = (code: number) =>
  code < 32 ||
  (code >= 0x7f && code <= 0x9f) ||
  (code >= 0xe000 && code <= 0xf8ff) ||
  (code >= 0xf0000 && code <= 0x10ffff) ||
  code === 0xfffd ||
  code === 0xffff;

/**
 * Counts characters without a meaning: a font without a Unicode map yields glyph numbers or private-use characters. A
 * few of them, such as bullets, are acceptable.
 */
export function legibilityCounter() {
  let [characters, meaningless] = [0, 0];
  return {
    /** `isUnmapped`: the engine has no Unicode character for the code. */
    count(code: number, isUnmapped: boolean) {
      if (!isUnmapped && (isSpace(code) || code === ROW_END_HYPHEN)) return;
      characters++;
      if (isUnmapped || isMeaningless(code)) meaningless++;
    },
    isIllegible: () => meaningless > characters * MAX_MEANINGLESS_SHARE,
  };
}
