import type { Jieba } from '@node-rs/jieba';

/** Characters on both sides that are segmented together with the place. */
const AROUND = 8;

/** Whether a place of a folded text is a word, not the end of one word and the beginning of the next. */
export function isWholeWord(jieba: Jieba, folded: string, start: number, end: number): boolean {
  let at = Math.max(0, start - AROUND);
  let isAtWordStart = false;
  for (const part of jieba.cut(folded.slice(at, end + AROUND), false)) {
    const next = at + part.length;
    if (at <= start && next >= end)
      return next - at === end - start || jieba.cutForSearch(part, false).includes(folded.slice(start, end));
    if (at === start) isAtWordStart = true;
    // Several words side by side, the last of which ends with the place.
    if (next >= end) return isAtWordStart && next === end;
    at = next;
  }
  return false;
}
