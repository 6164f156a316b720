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
  for (let at = 0; at < text.length; at += 1)
    if (kindOf(text.charCodeAt(at)) !== SEPARATOR) return true;
  return false;
}

/** c++, c# and the like are words of their own. */
const isTail = (code: number) => code === 0x2b || code === 0x23;

export type Run = { kind: typeof WIDE | typeof LETTER; start: number; end: number };

/** A folded text in runs of wide characters and words of letters. */
export function* runsOf(text: string): Generator<Run> {
  for (let start = 0; start < text.length; ) {
    const kind = kindOf(text.charCodeAt(start));
    if (kind === SEPARATOR) {
      start += 1;
      continue;
    }
    let end = start + 1;
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
