import { create, type Font, type Glyph, type PathCommand } from 'fontkit';
import { formatNumber } from './canvas.ts';

/** Outlines of a document with very many characters are computed again. */
const MAX_CACHED_OUTLINES = 20_000;
/** Symbol fonts map characters into the private area of Unicode. */
const SYMBOL_AREA = 0xf000;

export type GlyphFont = {
  unitsPerEm: number;
  isBold: boolean;
  isItalic: boolean;
  glyphs: number;
  /** Number of the glyph of a character; 0 for none. */
  glyphOf(codePoint: number): number;
  /** Operators of the path in font units, empty for blank and broken glyphs. */
  outline(glyph: number): string;
  /** In units of the font size; null when the font does not tell. */
  advance(glyph: number): number | null;
};

/** Opens a TrueType or OpenType font, or a face of a collection. Throws for any other data. */
export function openGlyphFont(bytes: Buffer, faceName?: string): GlyphFont {
  const font = create(bytes, faceName);
  if (!('unitsPerEm' in font)) throw new Error('a collection without the face');
  const { unitsPerEm, numGlyphs } = font;
  if (!(unitsPerEm > 0 && numGlyphs > 0)) throw new Error('a font without glyphs');
  const outlines = new Map<number, string>();
  const style = readStyle(font);
  return {
    unitsPerEm,
    glyphs: numGlyphs,
    ...style,
    glyphOf: (codePoint) => findGlyph(font, codePoint) || findGlyph(font, SYMBOL_AREA + codePoint),
    outline(glyph) {
      const cachedOutline = outlines.get(glyph);
      if (cachedOutline !== undefined) return cachedOutline;
      if (outlines.size >= MAX_CACHED_OUTLINES) outlines.clear();
      const outline = readOutline(font, glyph);
      outlines.set(glyph, outline);
      return outline;
    },
    advance(glyph) {
      try {
        const width = font.getGlyph(glyph).advanceWidth;
        return Number.isFinite(width) ? width / unitsPerEm : null;
      } catch {
        return null; // The font has no usable table of widths.
      }
    },
  };
}

function readStyle(font: Font): Pick<GlyphFont, 'isBold' | 'isItalic'> {
  try {
    const { usWeightClass, fsSelection } = font['OS/2'];
    return { isBold: usWeightClass >= 600, isItalic: fsSelection.italic };
  } catch {
    return { isBold: false, isItalic: false }; // Embedded fonts often lack the table.
  }
}

function findGlyph(font: Font, codePoint: number): number {
  try {
    return font.glyphForCodePoint(codePoint).id;
  } catch {
    return 0; // Without a table of characters, glyphs are chosen by number only.
  }
}

function readOutline(font: Font, glyph: number): string {
  try {
    return outlineOperators(font.getGlyph(glyph));
  } catch {
    return ''; // A broken glyph is blank, as in other programs.
  }
}

function outlineOperators(glyph: Glyph): string {
  let [x, y] = [0, 0];
  const write = ({ command, args }: PathCommand): string => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
    if (command === 'closePath') return 'h';
    const [fromX, fromY] = [x, y];
    if (command === 'moveTo' || command === 'lineTo') {
      [x, y] = [a, b];
      return `${formatUnits(a, b)} ${command === 'moveTo' ? 'm' : 'l'}`;
    }
    if (command === 'bezierCurveTo') {
      [x, y] = [e, f];
      return `${formatUnits(a, b, c, d, e, f)} c`;
    }
    [x, y] = [c, d];
    const control = (from: number, to: number) => from + (2 / 3) * (to - from);
    return `${formatUnits(control(fromX, a), control(fromY, b), control(c, a), control(d, b), c, d)} c`;
  };
  return glyph.path.commands.map(write).join('\n');
}

/** A tenth of a font unit is far below a pixel. */
const formatUnits = (...values: number[]) => values.map((value) => formatNumber(Math.round(value * 10) / 10)).join(' ');
