/** What a character is to a search. */
const SEPARATOR = 0;
/** Set without spaces: Chinese, Japanese, Korean, and whatever needs two units. */
export const WIDE = 1;
/** Part of a word between spaces. */
export const LETTER = 2;

const kinds = new Uint8Array(0x10000);
for (let code = 0; code < 0x10000; code += 1) {
  const isWide =
    (code >= 0x2e80 && code <= 0x2fdf) ||
    (code >= 0x3005 && code <= 0x3007) ||
    (code >= 0x3041 && code <= 0x30ff && code !== 0x30fb) ||
    (code >= 0x3105 && code <= 0x31ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xdfff) ||
    (code >= 0xf900 && code <= 0xfaff);
  if (isWide) kinds[code] = WIDE;
  else if (/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(code))) kinds[code] = LETTER;
}

export const kindOf = (code: number): number => kinds[code] ?? SEPARATOR;

/** Whether there is anything to search for. */
export function hasLetter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (kindOf(text.charCodeAt(at)) !== SEPARATOR) return true;
  return false;
}

/** c++, c# and the like are words of their own. */
const isTail = (code: number) => code === 0x2b || code === 0x23;

/**
 * 3,150 and 12.8 are one word, with a sign of measure behind them too (56℃, 20%). A row of numbers is
 * not: 2024.02.01 and 1,2,3 stay apart.
 */
const NUMBER = /(?<!\d[.,])\d+(?:,\d{3})*(?:\.\d+)?(?![.,]?\d)[%‰℃℉°]?/y;
const NUMBER_SIGNS = /[.,%‰℃℉°]/;

function numberEnd(text: string, start: number): number {
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start + 1;
}

/** The numbers and letters within a compound number: 12.8mm has 12 and 8mm. None in other words. */
export const numberParts = (word: string): string[] =>
  NUMBER_SIGNS.test(word) ? word.split(NUMBER_SIGNS).filter(Boolean) : [];

export type Run = { kind: typeof WIDE | typeof LETTER; start: number; end: number };

/** A folded text in runs of wide characters and words of letters. */
export function* runsOf(text: string): Generator<Run> {
  for (let start = 0; start < text.length; ) {
    const kind = kindOf(text.charCodeAt(start));
    if (kind === SEPARATOR) {
      start += 1;
      continue;
    }
    let end = numberEnd(text, start);
    while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end += 1;
    const isShort = kind === LETTER && end - start <= 2;
    while (isShort && end < text.length && isTail(text.charCodeAt(end))) end += 1;
    yield { kind: kind as Run['kind'], start, end };
    start = end;
  }
}

const MAX_WORD = 40;

/** A light stem: plural, past and -ing make no difference. What is short or has digits stays. */
export function stem(word: string): string {
  const known = word.slice(0, MAX_WORD);
  // Thousands are written with and without a comma.
  if (/^\d.*,/.test(known)) return known.replaceAll(',', '');
  if (known.length < 4 || !/^[a-z]+$/.test(known)) return known;
  const plain = known
    .replace(/(ss|us|is)$/, '$1\u0000')
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss|z)es$/, '$1')
    .replace(/s$/, '')
    .replace('\u0000', '');
  const root = plain.replace(/^(.{3,}?)(ing|ed)$/, '$1');
  if (root === plain) return plain.replace(/^(.{3,})e$/, '$1');
  // running, stopped
  return root.replace(/([bdgmnprt])\1$/, '$1').replace(/^(.{3,})e$/, '$1');
}
