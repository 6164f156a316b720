import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import type { PageWords, Word } from './events.ts';
import { type Pdf, withPdfiumMemory } from './pdf-engine.ts';
import { legibilityCounter } from './pdf-legibility.ts';
import { sortInReadingOrder } from './reading-order.ts';

const UNITS_PER_PAGE_WIDTH = 10_000;
const MAX_PAGE_CHARACTERS = 50_000;
/** A gap wider than this share of the line height separates words. */
const MAX_WORD_GAP_RATIO = 0.5;

type Box = { left: number; top: number; right: number; bottom: number };
type Glyph = { text: string; box: Box };
/** Maps points of the page to units of the image, with the rotation and crop of the page. */
type Transform = (x: number, y: number) => { x: number; y: number };

/** Reads the words of an open page; none for a page whose fonts do not map to Unicode. */
export function readPdfWords(pdf: Pdf, page: number): PageWords {
  const { engine } = pdf;
  const text = engine.FPDFText_LoadPage(page);
  if (text === 0) return [];
  try {
    const transform = createPageTransform(pdf, page);
    const lines: PageWords = [[]];
    const word = createWordBuilder(lines);
    const legibility = legibilityCounter();
    const total = Math.min(engine.FPDFText_CountChars(text), MAX_PAGE_CHARACTERS);
    withPdfiumMemory(pdf, 16, (rectangle) => {
      for (let index = 0; index < total; index++) {
        const code = engine.FPDFText_GetUnicode(text, index);
        legibility.count(code, engine.FPDFText_HasUnicodeMapError(text, index) === 1);
        if (code === 10 || code === 13) word.endLine();
        else if (code === 32 || code === 9 || code === 0xa0 || code === 0x3000) word.space();
        else if (code > 32 && code !== 0xfffe && code !== 0xffff && code <= 0x10ffff) {
          if (!engine.FPDFText_GetLooseCharBox(text, index, rectangle)) continue;
          word.add({ text: decodeCharacter(code), box: readBox(pdf, rectangle, transform) });
        }
      }
    });
    word.endLine();
    if (legibility.isIllegible()) return [];
    return lines.filter((line) => line.length > 0).map(sortInReadingOrder);
  } finally {
    engine.FPDFText_ClosePage(text);
  }
}

/** Fonts often map glyphs to radicals, compatibility forms or ligatures instead of plain characters. */
const isCompatibilityVariant = (code: number) =>
  (code >= 0x2e80 && code <= 0x2fdf) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfb00 && code <= 0xfb06);

function decodeCharacter(code: number): string {
  const text = code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
  return isCompatibilityVariant(code) ? text.normalize('NFKC') : text;
}

function readBox({ engine }: Pdf, rectangle: number, transform: Transform): Box {
  const read = (at: number) => engine.pdfium.getValue(rectangle + at, 'float');
  const firstCorner = transform(read(0), read(4));
  const secondCorner = transform(read(8), read(12));
  return {
    left: Math.min(firstCorner.x, secondCorner.x),
    right: Math.max(firstCorner.x, secondCorner.x),
    top: Math.min(firstCorner.y, secondCorner.y),
    bottom: Math.max(firstCorner.y, secondCorner.y),
  };
}

/** The engine maps points to whole pixels, so the transform is computed from three distant points. */
function createPageTransform(pdf: Pdf, page: number): Transform {
  const { engine } = pdf;
  const width = engine.FPDF_GetPageWidthF(page);
  const height = engine.FPDF_GetPageHeightF(page);
  const size = { x: 1_000_000, y: Math.round((1_000_000 * height) / Math.max(width, 1)) || 1 };
  const span = Math.max(width, height, 1);
  const map = (x: number, y: number) =>
    withPdfiumMemory(pdf, 8, (pointer) => {
      engine.FPDF_PageToDevice(page, 0, 0, size.x, size.y, 0, x, y, pointer, pointer + 4);
      const read = (at: number) => engine.pdfium.getValue(pointer + at, 'i32');
      return { x: read(0) / (1_000_000 / UNITS_PER_PAGE_WIDTH), y: read(4) / (1_000_000 / UNITS_PER_PAGE_WIDTH) };
    });
  const origin = map(0, 0);
  const right = map(span, 0);
  const up = map(0, span);
  return (x, y) => ({
    x: origin.x + ((right.x - origin.x) * x + (up.x - origin.x) * y) / span,
    y: origin.y + ((right.y - origin.y) * x + (up.y - origin.y) * y) / span,
  });
}

/** Joins adjacent characters of one line and one kind of script into words. */
function createWordBuilder(lines: PageWords) {
  let text = '';
  let box: Box | null = null;
  const line = () => lines[lines.length - 1] ?? [];
  const finish = (trailingSpace = '') => {
    if (box && text) line().push(toWord(text + trailingSpace, box));
    text = '';
    box = null;
  };
  return {
    add(glyph: Glyph) {
      if (box && !continuesWord(box, text, glyph)) finish();
      text += glyph.text;
      box = box ? unionOfBoxes(box, glyph.box) : glyph.box;
    },
    space() {
      if (box) finish(' ');
    },
    endLine() {
      finish();
      if (line().length > 0) lines.push([]);
    },
  };
}

function continuesWord(box: Box, text: string, glyph: Glyph): boolean {
  const height = Math.max(box.bottom - box.top, 1);
  const middle = (glyph.box.top + glyph.box.bottom) / 2;
  const isSameLine = middle > box.top && middle < box.bottom;
  const gap = Math.max(glyph.box.left - box.right, box.left - glyph.box.right);
  // A low surrogate belongs to the previous character.
  if (/[\ud800-\udbff]$/.test(text)) return true;
  return (
    isSameLine && gap < height * MAX_WORD_GAP_RATIO && isWideCharacter(text.slice(-1)) === isWideCharacter(glyph.text)
  );
}

const unionOfBoxes = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

const clampUnits = (value: number) =>
  Math.max(-UNITS_PER_PAGE_WIDTH, Math.min(10 * UNITS_PER_PAGE_WIDTH, Math.round(value)));

const toWord = (text: string, { left, top, right, bottom }: Box): Word => [
  text.toWellFormed(),
  clampUnits(left),
  clampUnits(top),
  clampUnits(right - left),
  clampUnits(bottom - top),
];

export const joinWords = (words: PageWords): string =>
  words
    .map((line) =>
      line
        .map(([text]) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
