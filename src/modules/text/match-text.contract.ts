import { isWrittenWithoutSpaces } from './wide-characters.contract.ts';

/** Text matching within a document, shared by the server and the browser. */

/** Normalized text; `at` holds the offset of each character in the original text. */
export type NormalizedText = { text: string; at: Uint32Array };
/** Start and end of a match in the original text. */
export type Span = { start: number; end: number };

export const MAX_FIND_LENGTH = 100;

export const isSpace = (code: number) =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0x2028;

/** Maps to lower case and half width. Each character stays one character, so that offsets can be mapped back. */
export function normalizeCodePoint(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  if (code >= 0xff01 && code <= 0xff5e) return normalizeCodePoint(code - 0xfee0);
  if (code >= 0x2500 || code < 0xc0) return code;
  const lowerCase = String.fromCharCode(code).toLowerCase();
  return lowerCase.length === 1 ? lowerCase.charCodeAt(0) : code;
}

/** Ignores case, full width, and the spaces that layout inserts between Chinese characters. */
export function normalizeWithOffsets(text: string): NormalizedText {
  const codes = new Uint16Array(text.length);
  const at = new Uint32Array(text.length);
  let length = 0;
  let spaceAt = -1;
  let isPreviousUnspaced = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isSpace(code)) {
      if (spaceAt < 0) spaceAt = index;
      continue;
    }
    const normalizedCode = normalizeCodePoint(code);
    const isCurrentUnspaced = isWrittenWithoutSpaces(normalizedCode);
    if (spaceAt >= 0 && !isCurrentUnspaced && !isPreviousUnspaced) {
      codes[length] = 32;
      at[length++] = spaceAt;
    }
    spaceAt = -1;
    isPreviousUnspaced = isCurrentUnspaced;
    codes[length] = normalizedCode;
    at[length++] = index;
  }
  return { text: decodeCodes(codes.subarray(0, length)), at: at.subarray(0, length) };
}

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
const MAX_SPREAD_CODES = 512;
/** The decoder is faster for long texts, but replaces unpaired surrogates, which only occur in broken texts. */
function decodeCodes(codes: Uint16Array): string {
  if (codes.length > MAX_SPREAD_CODES) return decoder.decode(codes);
  return String.fromCharCode(...codes);
}

/** Finds all occurrences without overlap. */
export function findOccurrences({ text, at }: NormalizedText, needle: string): Span[] {
  const spans: Span[] = [];
  if (needle === '') return spans;
  for (let from = text.indexOf(needle); from >= 0; from = text.indexOf(needle, from)) {
    const end = from + needle.length;
    spans.push({ start: at[from] ?? 0, end: (at[end - 1] ?? 0) + 1 });
    from = end;
  }
  return spans;
}
