import { findOccurrences, normalizeWithOffsets, type Span } from '#modules/text/match-text.contract.ts';
import type { ReadingWord } from '../../reading.contract.ts';

/** In ten-thousandths of the page width. */
export type Box = { x: number; y: number; width: number; height: number };

type PositionedWord = { word: ReadingWord; start: number };

/** The page text as on the server, and the offset of each word in it. */
function joinWords(lines: ReadingWord[][]): { text: string; words: PositionedWord[] } {
  let text = '';
  const words: PositionedWord[] = [];
  for (const line of lines) {
    if (text !== '') text += '\n';
    for (const word of line) {
      words.push({ word, start: text.length });
      text += word[0];
    }
    text = text.trimEnd();
  }
  return { text, words };
}

/** Start offset in the page text, and one box per line. */
export type HitBoxes = { start: number; boxes: Box[] };

export function hitBoxes(lines: ReadingWord[][], needle: string): HitBoxes[] {
  if (needle === '') return [];
  const { text, words } = joinWords(lines);
  return findOccurrences(normalizeWithOffsets(text), needle).map((span) => ({
    start: span.start,
    boxes: boxesOfSpan(words, span),
  }));
}

function boxesOfSpan(words: PositionedWord[], { start, end }: Span): Box[] {
  const boxes: Box[] = [];
  for (const { word, start: from } of words) {
    const [text, x, y, width, height] = word;
    const length = text.trimEnd().length;
    const [first, last] = [Math.max(start, from), Math.min(end, from + length)];
    if (first >= last) continue;
    // Assumes equal character widths within a word: exact for Chinese, close enough for others.
    const unit = width / Math.max(1, length);
    const part = { x: x + unit * (first - from), y, width: unit * (last - first), height };
    const before = boxes.at(-1);
    if (before && isSameLine(before, part)) extendBox(before, part);
    else boxes.push(part);
  }
  return boxes;
}

const isSameLine = (a: Box, b: Box) =>
  Math.abs(a.y + a.height / 2 - b.y - b.height / 2) < a.height / 2 && b.x - a.x - a.width < a.height;

function extendBox(box: Box, { x, y, width, height }: Box) {
  const [right, bottom] = [Math.max(box.x + box.width, x + width), Math.max(box.y + box.height, y + height)];
  box.x = Math.min(box.x, x);
  box.y = Math.min(box.y, y);
  box.width = right - box.x;
  box.height = bottom - box.y;
}
