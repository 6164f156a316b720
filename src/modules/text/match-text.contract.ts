/** How words are looked for in a document: the same on the server and in the browser. */

/** A text made comparable, and for each of its characters where it stands in the original. */
export type NormalizedText = { text: string; at: Uint32Array };
/** Where a hit begins and ends in the original text. */
export type Span = { start: number; end: number };

export const MAX_FIND_LENGTH = 100;

export const isSpace = (code: number) =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0x2028;
/** Characters that are set without spaces: between them a space or the end of a line means nothing. */
export const isWide = (code: number) =>
  (code >= 0x2e80 && code <= 0x9fff) ||
  (code >= 0xd800 && code <= 0xdfff) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xff00 && code <= 0xffef);

/** Small letters, half width. A character stays one character, so that places can be told. */
export function normalizeCodePoint(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  if (code >= 0xff01 && code <= 0xff5e) return normalizeCodePoint(code - 0xfee0);
  if (code >= 0x2500 || code < 0xc0) return code;
  const small = String.fromCharCode(code).toLowerCase();
  return small.length === 1 ? small.charCodeAt(0) : code;
}

/** Case, full width and the spaces that layout puts between Chinese characters make no difference. */
export function normalizeWithOffsets(text: string): NormalizedText {
  const codes = new Uint16Array(text.length);
  const at = new Uint32Array(text.length);
  let length = 0;
  let spaceAt = -1;
  let wasWide = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isSpace(code)) {
      if (spaceAt < 0) spaceAt = index;
      continue;
    }
    const folded = normalizeCodePoint(code);
    const wide = isWide(folded);
    if (spaceAt >= 0 && !wide && !wasWide) {
      codes[length] = 32;
      at[length++] = spaceAt;
    }
    spaceAt = -1;
    wasWide = wide;
    codes[length] = folded;
    at[length++] = index;
  }
  return { text: textOf(codes.subarray(0, length)), at: at.subarray(0, length) };
}

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
const AT_ONCE = 512;
/** The decoder is fast, but replaces halves of characters, which only a broken text has. */
function textOf(codes: Uint16Array): string {
  if (codes.length > AT_ONCE) return decoder.decode(codes);
  return String.fromCharCode(...codes);
}

/** All hits of a folded text, one behind the other. */
export function findIn({ text, at }: NormalizedText, needle: string): Span[] {
  const spans: Span[] = [];
  if (needle === '') return spans;
  for (let from = text.indexOf(needle); from >= 0; from = text.indexOf(needle, from)) {
    const end = from + needle.length;
    spans.push({ start: at[from] ?? 0, end: (at[end - 1] ?? 0) + 1 });
    from = end;
  }
  return spans;
}
