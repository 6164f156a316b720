import { isCjkRadical, isCompatibilityIdeograph } from '#modules/text/wide-characters.contract.ts';
import type { PageWords } from './events.ts';
import { type Pdf, withPdfiumMemory } from './pdf-engine.ts';
import { legibilityCounter, ROW_END_HYPHEN } from './pdf-legibility.ts';
import { createWordBuilder, type GlyphBox, UNITS_PER_PAGE_WIDTH } from './word-builder.ts';

const MAX_PAGE_CHARACTERS = 50_000;

/** Maps points of the page to units of the image, with the rotation and crop of the page. */
type Transform = (x: number, y: number) => { x: number; y: number };

/** Reads the words of an open page; none for a page whose fonts do not map to Unicode. */
export function readPdfWords(pdf: Pdf, page: number): PageWords {
  const { engine } = pdf;
  const text = engine.FPDFText_LoadPage(page);
  if (text === 0) return [];
  try {
    const transform = createPageTransform(pdf, page);
    const wordBuilder = createWordBuilder();
    const legibility = legibilityCounter();
    const total = Math.min(engine.FPDFText_CountChars(text), MAX_PAGE_CHARACTERS);
    withPdfiumMemory(pdf, 16, (rectangle) => {
      for (let index = 0; index < total; index++) {
        const code = engine.FPDFText_GetUnicode(text, index);
        legibility.count(code, engine.FPDFText_HasUnicodeMapError(text, index) === 1);
        if (code === 10 || code === 13) wordBuilder.endLine();
        else if (code === 32 || code === 9 || code === 0xa0 || code === 0x3000) wordBuilder.space();
        else if (isPrintable(code) || isRowEndHyphen(pdf, text, index, code)) {
          if (!engine.FPDFText_GetLooseCharBox(text, index, rectangle)) continue;
          const box = readBox(pdf, rectangle, transform);
          if (isPrintable(code)) wordBuilder.add({ text: decodeCharacter(code), box });
          else wordBuilder.addRowEndHyphen(box);
        }
      }
    });
    return legibility.isIllegible() ? [] : wordBuilder.finishLines();
  } finally {
    engine.FPDFText_ClosePage(text);
  }
}

/** Whether the engine returns the next row without a line break. In a font without a Unicode map code 2 is any glyph. */
const isRowEndHyphen = ({ engine }: Pdf, text: number, index: number, code: number) =>
  code === ROW_END_HYPHEN && engine.FPDFText_IsHyphen(text, index) === 1;

const isPrintable = (code: number) => code > 32 && code !== 0xfffe && code !== 0xffff && code <= 0x10ffff;

/** Fonts often map glyphs to radicals, compatibility forms or ligatures instead of plain characters. */
const isCompatibilityVariant = (code: number) =>
  isCjkRadical(code) || isCompatibilityIdeograph(code) || (code >= 0xfb00 && code <= 0xfb06);

function decodeCharacter(code: number): string {
  const text = code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
  return isCompatibilityVariant(code) ? text.normalize('NFKC') : text;
}

function readBox({ engine }: Pdf, rectangle: number, transform: Transform): GlyphBox {
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
