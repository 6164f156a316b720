import { findOccurrences, normalizeWithOffsets, type Span } from '#modules/text/match-text.contract.ts';
import type { ReadingWord } from '../../reading.contract.ts';

/** In ten-thousandths of the page's width. */
export type Box = { x: number; y: number; width: number; height: number };

type Placed = { word: ReadingWord; start: number };

/** The text of a page as the server reads it, and where each of its words begins in it. */
function placeWords(lines: ReadingWord[][]): { text: string; placed: Placed[] } {
  let text = '';
  const placed: Placed[] = [];
  for (const line of lines) {
    if (text !== '') text += '\n';
    for (const word of line) {
      placed.push({ word, start: text.length });
      text += word[0];
    }
    text = text.trimEnd();
  }
  return { text, placed };
}

/** Where in the text of its page it begins, and the boxes that cover it, one for each line it runs over. */
export type PlacedHit = { start: number; boxes: Box[] };

/** The hits on a page. */
export function hitBoxes(lines: ReadingWord[][], needle: string): PlacedHit[] {
  if (needle === '') return [];
  const { text, placed } = placeWords(lines);
  return findOccurrences(normalizeWithOffsets(text), needle).map((span) => ({
    start: span.start,
    boxes: boxesOf(placed, span),
  }));
}

function boxesOf(placed: Placed[], { start, end }: Span): Box[] {
  const boxes: Box[] = [];
  for (const { word, start: from } of placed) {
    const [content, x, y, width, height] = word;
    const length = content.trimEnd().length;
    const [first, last] = [Math.max(start, from), Math.min(end, from + length)];
    if (first >= last) continue;
    // Within a word characters are taken to be equally wide: exact for Chinese, near enough for others.
    const unit = width / Math.max(1, length);
    const part = { x: x + unit * (first - from), y, width: unit * (last - first), height };
    const before = boxes.at(-1);
    if (before && isSameLine(before, part)) join(before, part);
    else boxes.push(part);
  }
  return boxes;
}

const isSameLine = (one: Box, other: Box) =>
  Math.abs(one.y + one.height / 2 - other.y - other.height / 2) < one.height / 2 &&
  other.x - one.x - one.width < one.height;

function join(box: Box, { x, y, width, height }: Box) {
  const [right, bottom] = [Math.max(box.x + box.width, x + width), Math.max(box.y + box.height, y + height)];
  box.x = Math.min(box.x, x);
  box.y = Math.min(box.y, y);
  box.width = right - box.x;
  box.height = bottom - box.y;
}
