/** Unicode scripts of Chinese, Japanese and Korean, for character classes of regular expressions with the flag `u`. */
export const HAN = '\\p{sc=Han}';
export const KANA = '\\p{sc=Hiragana}\\p{sc=Katakana}';
export const HANGUL = '\\p{sc=Hangul}';
export const CJK = `${HAN}${KANA}${HANGUL}`;
