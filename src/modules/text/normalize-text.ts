import traditional from 'opencc-js/dict/TSCharacters';
import { isSpace, type NormalizedText, normalizeCodePoint } from './match-text.contract.ts';
import { isCompatibilityIdeograph, isWrittenWithoutSpaces } from './wide-characters.contract.ts';

const LETTER = 0;
const SPACE = 1;
const UNSPACED_LETTER = 2;
type Tables = { normalizedCodes: Uint16Array; kinds: Uint8Array };
let tables: Tables | null = null;
/** Parts of regular expressions: `sources` lists the characters that normalize to a character. */
type PatternParts = { sources: Map<number, string>; spaces: string };
let patternParts: PatternParts | null = null;

/** Normalized character and kind of each character. Spaces are treated like in the search of the reader. */
function getNormalizationTables(): Tables {
  if (tables) return tables;
  const normalizedCodes = Uint16Array.from({ length: 0x10000 }, (_, code) => code);
  const kinds = new Uint8Array(0x10000);
  for (const pair of traditional.split('|')) {
    const [from = '', to = ''] = pair.split(' ');
    if (from.length === 1 && to.length === 1) normalizedCodes[from.charCodeAt(0)] = to.charCodeAt(0);
  }
  for (let code = 0; code < 0x10000; code += 1) {
    const character = String.fromCharCode(code);
    // Compatibility forms look the same but have other code points: ⾦ is 金.
    const isCompatibilityForm = (code >= 0x2f00 && code <= 0x2fd5) || isCompatibilityIdeograph(code);
    const plainLetter = isCompatibilityForm ? character.normalize('NFKC') : character;
    if (isCompatibilityForm && plainLetter.length === 1)
      normalizedCodes[code] = normalizedCodes[plainLetter.charCodeAt(0)] ?? code;
    const plainCode = normalizeCodePoint(code);
    if (isSpace(code)) kinds[code] = SPACE;
    else if (isWrittenWithoutSpaces(plainCode)) kinds[code] = UNSPACED_LETTER;
    if (normalizedCodes[code] === code) normalizedCodes[code] = plainCode;
  }
  tables = { normalizedCodes, kinds };
  return tables;
}

function readPatternParts(): PatternParts {
  if (patternParts) return patternParts;
  const { normalizedCodes, kinds } = getNormalizationTables();
  const sources = new Map<number, string>();
  let spaces = '';
  for (const [code, normalizedCode] of normalizedCodes.entries()) {
    if (kinds[code] === SPACE) spaces += escapeCode(code);
    else sources.set(normalizedCode, (sources.get(normalizedCode) ?? '') + escapeCode(code));
  }
  patternParts = { sources, spaces };
  return patternParts;
}

const escapeCode = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;

/** The beginning of a word is enough; longer patterns are slower. */
const MAX_PATTERN_LENGTH = 16;

/**
 * Creates a pattern that excludes texts without normalizing them: a text that it does not match contains none of the
 * normalized words. Returns null without words. The pattern is unambiguous, so that it never backtracks.
 */
export function createPrefilter(words: readonly string[]): RegExp | null {
  const { sources, spaces } = readPatternParts();
  const patterns = words.map((word) =>
    Array.from(word.slice(0, MAX_PATTERN_LENGTH).split(''), (character) => {
      const code = character.charCodeAt(0);
      // The previous character already allows for spaces.
      return code === 32 ? '' : `[${sources.get(code) ?? escapeCode(code)}][${spaces}]*`;
    }).join(''),
  );
  return patterns.length > 0 ? new RegExp(patterns.join('|')) : null;
}

/** Removes differences that the search ignores: case, width, script, spaces of the layout. */
export function normalizeForSearchWithOffsets(text: string): NormalizedText {
  const { normalizedCodes, kinds } = getNormalizationTables();
  const codes = new Uint16Array(text.length);
  const at = new Uint32Array(text.length);
  let [length, spaceAt, previousKind] = [0, -1, UNSPACED_LETTER];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const kind = kinds[code] ?? LETTER;
    if (kind === SPACE) {
      if (spaceAt < 0) spaceAt = index;
      continue;
    }
    if (spaceAt >= 0 && kind === LETTER && previousKind === LETTER) {
      codes[length] = 32;
      at[length++] = spaceAt;
    }
    spaceAt = -1;
    previousKind = kind;
    codes[length] = normalizedCodes[code] ?? code;
    at[length++] = index;
  }
  const bytes = Buffer.from(codes.buffer, 0, length * 2);
  return { text: bytes.toString('utf16le'), at: at.subarray(0, length) };
}
export const normalizeForSearch = (text: string): string => normalizeForSearchWithOffsets(text).text;
