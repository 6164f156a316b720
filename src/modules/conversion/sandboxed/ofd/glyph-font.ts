import { create, type Font, type Glyph, type PathCommand } from 'fontkit';
import { formatNumber } from './canvas.ts';

/** The library keeps everything that it read, so that it opens the font again after this number of glyphs. */
const MAX_GLYPHS_IN_LIBRARY = 500;
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
  let font = openFont(bytes, faceName);
  let glyphsInLibrary = 0;
  const { unitsPerEm, numGlyphs } = font;
  if (!(unitsPerEm > 0 && numGlyphs > 0)) throw new Error('a font without glyphs');
  const glyphs = new Map<number, number>();
  const shapes = new Map<number, GlyphShape>();
  const readGlyphShape = (glyph: number): GlyphShape => {
    glyphsInLibrary++;
    if (glyphsInLibrary > MAX_GLYPHS_IN_LIBRARY) {
      font = openFont(bytes, faceName);
      glyphsInLibrary = 1;
    }
    return { outline: readOutline(font, glyph), advance: readAdvance(font, glyph, unitsPerEm) };
  };
  return {
    unitsPerEm,
    glyphs: numGlyphs,
    ...readStyle(font),
    glyphOf: (codePoint) =>
      cachedValue(glyphs, codePoint, () => findGlyph(font, codePoint) || findGlyph(font, SYMBOL_AREA + codePoint)),
    outline: (glyph) => cachedValue(shapes, glyph, readGlyphShape).outline,
    advance: (glyph) => cachedValue(shapes, glyph, readGlyphShape).advance,
  };
}

type GlyphShape = { outline: string; advance: number | null };

function cachedValue<T>(values: Map<number, T>, key: number, read: (key: number) => T): T {
  const cachedEntry = values.get(key);
  if (cachedEntry !== undefined) return cachedEntry;
  const value = read(key);
  values.set(key, value);
  return value;
}

function openFont(bytes: Buffer, faceName?: string): Font {
  const font = create(bytes, faceName);
  if (!('unitsPerEm' in font)) throw new Error('a collection without the face');
  return font;
}

function readAdvance(font: Font, glyph: number, unitsPerEm: number): number | null {
  try {
    const width = font.getGlyph(glyph).advanceWidth;
    return Number.isFinite(width) ? width / unitsPerEm : null;
  } catch {
    return null; // The font has no usable table of widths.
  }
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
