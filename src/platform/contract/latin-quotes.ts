const CHINESE = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\u3000-\\u303f\\uff00-\\uffef';
const APOSTROPHE = /(?<=[\p{sc=Latin}\d])’(?=\p{sc=Latin})/gu;
/** A pair around Latin words. Beside a Chinese character or punctuation mark it belongs to the Chinese sentence. */
const PAIR = new RegExp(
  `(?<![${CHINESE}\\p{sc=Latin}\\d])[“‘](?=[\\p{sc=Latin}\\d])[^“”‘]*?(?<=[\\p{sc=Latin}\\d.,!?…])[”’](?![${CHINESE}\\p{sc=Latin}\\d])`,
  'gu',
);

type TextPart = { text: string; isLatinQuote: boolean };

/** Separates the quotes of Latin words in a Chinese text, which a Chinese font would draw full-width. */
export function splitAtLatinQuotes(text: string): TextPart[] {
  const positions = new Set<number>();
  for (const { index } of text.matchAll(APOSTROPHE)) positions.add(index);
  for (const { index, 0: pair } of text.matchAll(PAIR)) positions.add(index).add(index + pair.length - 1);
  const parts: TextPart[] = [];
  let start = 0;
  for (const position of [...positions].sort((a, b) => a - b)) {
    if (position > start) parts.push({ text: text.slice(start, position), isLatinQuote: false });
    parts.push({ text: text.charAt(position), isLatinQuote: true });
    start = position + 1;
  }
  if (start < text.length) parts.push({ text: text.slice(start), isLatinQuote: false });
  return parts;
}
