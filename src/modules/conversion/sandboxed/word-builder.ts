import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import type { PageWords, Word } from './events.ts';
import { sortInReadingOrder } from './reading-order.ts';

export const UNITS_PER_PAGE_WIDTH = 10_000;
/** A gap wider than this share of the line height separates words. */
const MAX_WORD_GAP_RATIO = 0.5;
/** A hyphenated word continues in a row whose top is at most this many heights below. */
const MAX_HYPHENATED_ROW_HEIGHTS = 3;
const LOWER_CASE = /^\p{Ll}/u;

/** In the units of `Word`. */
export type GlyphBox = { left: number; top: number; right: number; bottom: number };
type Glyph = { text: string; box: GlyphBox };

/**
 * Joins adjacent characters of one row and one kind of script into words, and words into lines. The rows of a hyphenated
 * word are one line, so that a search finds the whole word.
 */
export function createWordBuilder() {
  const lines: PageWords = [];
  /** Rows of the current line. Each is sorted separately. */
  let rows: Word[][] = [[]];
  let text = '';
  let box: GlyphBox | null = null;
  let hyphenBox: GlyphBox | null = null;

  const finishWord = (trailingSpace = '') => {
    if (box && text) rows.at(-1)?.push(toWord(text + trailingSpace, box));
    text = '';
    box = null;
  };
  const append = (glyph: Glyph) => {
    if (box && !continuesWord(box, text, glyph)) finishWord();
    text += glyph.text;
    box = box ? unionOfBoxes(box, glyph.box) : glyph.box;
  };
  const finishLine = () => {
    finishWord();
    const line = rows.flatMap(sortInReadingOrder);
    if (line.length > 0) lines.push(line);
    rows = [[]];
  };
  /** Decides about a hyphen when the character after it is known: it is part of the text unless a word continues. */
  const resolveHyphen = (next: Glyph | null) => {
    if (!hyphenBox) return;
    const hyphen = { text: '-', box: hyphenBox };
    hyphenBox = null;
    if (next && continuesHyphenatedWord(hyphen.box, next)) {
      finishWord();
      rows.push([]);
      return;
    }
    append(hyphen);
    if (next && !isInRow(next.box, hyphen.box)) finishLine();
  };
  return {
    add(glyph: Glyph) {
      resolveHyphen(glyph);
      append(glyph);
    },
    addRowEndHyphen(hyphen: GlyphBox) {
      resolveHyphen(null);
      hyphenBox = hyphen;
    },
    space() {
      resolveHyphen(null);
      if (box) finishWord(' ');
    },
    endLine() {
      resolveHyphen(null);
      finishLine();
    },
    finishLines(): PageWords {
      resolveHyphen(null);
      finishLine();
      return lines;
    },
  };
}

const middleOf = ({ top, bottom }: GlyphBox) => (top + bottom) / 2;

const isInRow = (box: GlyphBox, row: GlyphBox) => middleOf(box) > row.top && middleOf(box) < row.bottom;

/** A number, a capital or a distant row, such as the page number, begins another text. A row above is in the next column. */
function continuesHyphenatedWord(hyphen: GlyphBox, { text, box }: Glyph): boolean {
  if (!LOWER_CASE.test(text)) return false;
  const distance = box.top - hyphen.top;
  return distance < 0 ? box.left > hyphen.right : distance < (hyphen.bottom - hyphen.top) * MAX_HYPHENATED_ROW_HEIGHTS;
}

function continuesWord(box: GlyphBox, text: string, glyph: Glyph): boolean {
  const height = Math.max(box.bottom - box.top, 1);
  const gap = Math.max(glyph.box.left - box.right, box.left - glyph.box.right);
  // A low surrogate belongs to the previous character.
  if (/[\ud800-\udbff]$/.test(text)) return true;
  return (
    isInRow(glyph.box, box) &&
    gap < height * MAX_WORD_GAP_RATIO &&
    isWideCharacter(text.slice(-1)) === isWideCharacter(glyph.text)
  );
}

const unionOfBoxes = (a: GlyphBox, b: GlyphBox): GlyphBox => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

const clampUnits = (value: number) =>
  Math.max(-UNITS_PER_PAGE_WIDTH, Math.min(10 * UNITS_PER_PAGE_WIDTH, Math.round(value)));

const toWord = (text: string, { left, top, right, bottom }: GlyphBox): Word => [
  text.toWellFormed(),
  clampUnits(left),
  clampUnits(top),
  clampUnits(right - left),
  clampUnits(bottom - top),
];
