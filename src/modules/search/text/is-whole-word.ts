import type { Jieba } from '@node-rs/jieba';

/** Characters on both sides that are segmented together with the range. */
const CONTEXT_CHARS = 8;

/** Whether a range of a normalized text is a word, not the end of one word and the beginning of the next. */
export function isWholeWord(jieba: Jieba, normalizedText: string, start: number, end: number): boolean {
  let at = Math.max(0, start - CONTEXT_CHARS);
  let isAtWordStart = false;
  for (const part of jieba.cut(normalizedText.slice(at, end + CONTEXT_CHARS), false)) {
    const next = at + part.length;
    if (at <= start && next >= end)
      return next - at === end - start || jieba.cutForSearch(part, false).includes(normalizedText.slice(start, end));
    if (at === start) isAtWordStart = true;
    // The range may cover several adjacent words.
    if (next >= end) return isAtWordStart && next === end;
    at = next;
  }
  return false;
}
