import { isLikelyText, type TextEncoding } from '../../detect/text-encoding.ts';

/** Entry of the file #SYSTEM that begins with the language of the book. */
const LANGUAGE_ENTRY_TYPE = 4;
const VERSION_BYTES = 4;
const PRIMARY_LANGUAGE_MASK = 0x3ff;

/** Encodings by Windows language id, for languages with several scripts. */
const encodingsByLanguage = new Map([
  [0x804, 'gb18030'],
  [0x1004, 'gb18030'],
  [0x404, 'big5'],
  [0xc04, 'big5'],
  [0x1404, 'big5'],
  [0x411, 'shift_jis'],
  [0x412, 'euc-kr'],
]);
const primaryEncodings: [encoding: string, languages: number[]][] = [
  // Danish, German, English, Spanish, Finnish, French, Icelandic, Italian, Dutch, Norwegian, Portuguese, Swedish.
  ['windows-1252', [0x06, 0x07, 0x09, 0x0a, 0x0b, 0x0c, 0x0f, 0x10, 0x13, 0x14, 0x16, 0x1d]],
  // Bulgarian, Russian, Ukrainian, Belarusian.
  ['windows-1251', [0x02, 0x19, 0x22, 0x23]],
  // Czech, Hungarian, Polish, Romanian, Slovak, Slovenian.
  ['windows-1250', [0x05, 0x0e, 0x15, 0x18, 0x1b, 0x24]],
];

/** Returns the encoding of the language that the file #SYSTEM declares. */
export function findChmLanguageEncoding(system: Buffer | null): string | null {
  if (!system) return null;
  for (let at = VERSION_BYTES; at + 8 <= system.length; at += 4 + system.readUInt16LE(at + 2)) {
    if (system.readUInt16LE(at) !== LANGUAGE_ENTRY_TYPE) continue;
    const language = system.readUInt32LE(at + 4);
    const primary = language & PRIMARY_LANGUAGE_MASK;
    const byPrimary = primaryEncodings.find(([, languages]) => languages.includes(primary));
    return encodingsByLanguage.get(language) ?? byPrimary?.[0] ?? null;
  }
  return null;
}

/**
 * Returns the encoding of a page that declares none. Many Chinese books were compiled under an English system, so a
 * likely detected encoding wins over a Western language.
 */
export const chooseUndeclaredEncoding = (
  bytes: Buffer,
  language: string | null,
  detectedEncoding: TextEncoding | null,
): string | null =>
  language?.startsWith('windows-') && detectedEncoding && detectedEncoding !== 'windows-1252'
    ? isLikelyText(bytes, detectedEncoding)
      ? detectedEncoding
      : language
    : language;
