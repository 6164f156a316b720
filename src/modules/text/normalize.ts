import traditional from 'opencc-js/dict/TSCharacters';
import { isSpace, isWide, type NormalizedText, normalizeCodePoint } from './match-text.contract.ts';

const LETTER = 0;
const SPACE = 1;
const WIDE = 2;
type Tables = { folded: Uint16Array; kinds: Uint8Array };
let tables: Tables | null = null;
/** Parts of regular expressions: the characters that become a character, and those that are dropped. */
type PatternParts = { sources: Map<number, string>; spaces: string };
let patternParts: PatternParts | null = null;

/** For every character what it becomes, and how spaces beside it are taken: as find in the reader does. */
function readTables(): Tables {
  if (tables) return tables;
  const folded = Uint16Array.from({ length: 0x10000 }, (_, code) => code);
  const kinds = new Uint8Array(0x10000);
  for (const pair of traditional.split('|')) {
    const [from = '', to = ''] = pair.split(' ');
    if (from.length === 1 && to.length === 1) folded[from.charCodeAt(0)] = to.charCodeAt(0);
  }
  for (let code = 0; code < 0x10000; code += 1) {
    const letter = String.fromCharCode(code);
    // Letters that are drawn alike but have a number of their own: ⾦ is 金.
    const isTwin = (code >= 0x2f00 && code <= 0x2fd5) || (code >= 0xf900 && code <= 0xfaff);
    const plain = isTwin ? letter.normalize('NFKC') : letter;
    if (isTwin && plain.length === 1) folded[code] = folded[plain.charCodeAt(0)] ?? code;
    const plainCode = normalizeCodePoint(code);
    if (isSpace(code)) kinds[code] = SPACE;
    else if (isWide(plainCode)) kinds[code] = WIDE;
    if (folded[code] === code) folded[code] = plainCode;
  }
  tables = { folded, kinds };
  return tables;
}

function readPatternParts(): PatternParts {
  if (patternParts) return patternParts;
  const { folded, kinds } = readTables();
  const sources = new Map<number, string>();
  let spaces = '';
  for (const [code, becomes] of folded.entries()) {
    if (kinds[code] === SPACE) spaces += escaped(code);
    else sources.set(becomes, (sources.get(becomes) ?? '') + escaped(code));
  }
  patternParts = { sources, spaces };
  return patternParts;
}

const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;

/** The beginning of a word is enough to look for; longer ones would only make looking slow. */
const LOOKED_FOR = 16;

/**
 * Where a text has none of this, folded it has none of these words: one look, without folding it. Null
 * where there is nothing to look for. Nothing in it can match in two ways, so it never looks twice.
 */
export function patternOf(words: readonly string[]): RegExp | null {
  const { sources, spaces } = readPatternParts();
  const patterns = words.map((word) =>
    Array.from(word.slice(0, LOOKED_FOR).split(''), (letter) => {
      const code = letter.charCodeAt(0);
      // What stands before it allows for spaces already.
      return code === 32 ? '' : `[${sources.get(code) ?? escaped(code)}][${spaces}]*`;
    }).join(''),
  );
  return patterns.length > 0 ? new RegExp(patterns.join('|')) : null;
}

/** What makes no difference to a search is gone: case, width, script, spaces set by layout. */
export function normalizeText(text: string): NormalizedText {
  const { folded, kinds } = readTables();
  const codes = new Uint16Array(text.length);
  const at = new Uint32Array(text.length);
  let [length, spaceAt, before] = [0, -1, WIDE];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const kind = kinds[code] ?? LETTER;
    if (kind === SPACE) {
      if (spaceAt < 0) spaceAt = index;
      continue;
    }
    if (spaceAt >= 0 && kind === LETTER && before === LETTER) {
      codes[length] = 32;
      at[length++] = spaceAt;
    }
    spaceAt = -1;
    before = kind;
    codes[length] = folded[code] ?? code;
    at[length++] = index;
  }
  const bytes = Buffer.from(codes.buffer, 0, length * 2);
  return { text: bytes.toString('utf16le'), at: at.subarray(0, length) };
}
export const normalizedText = (text: string): string => normalizeText(text).text;
