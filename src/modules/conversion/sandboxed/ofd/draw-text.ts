import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import { formatNumber, matrixOperator } from './canvas.ts';
import { drawClips } from './clips.ts';
import { BLACK, readAlpha } from './color.ts';
import { readLineWidth } from './draw-path.ts';
import { addNote, type Drawing, findStyleElement, mayDraw, styleSources } from './drawing.ts';
import { UNKNOWN_FONT } from './font-store.ts';
import { type AffineMatrix, combine, parseNumberOr, scaling, translation } from './geometry.ts';
import type { GlyphFont } from './glyph-font.ts';
import { objectMatrix } from './object-matrix.ts';
import { alphaOperator, type Paint, readPaint, solidPaint } from './paint.ts';
import type { OfdFont } from './resources.ts';
import { type PlacedCharacter, placeCharacters } from './text-layout.ts';
import { addTextWords } from './text-words.ts';
import type { XmlElement } from './xml-tree.ts';

const MAX_FONT_SIZE = 10_000;
const BOLD_WEIGHT = 600;
/** Thickness that is added to a font without bold glyphs, in units of the font size. */
const BOLD_STROKE = 0.03;
const ITALIC_SLANT = 0.25;
/** A substitute that is wider than the original font is narrowed, at most to this share of its width. */
const MIN_WIDTH_FACTOR = 0.5;
const DEFAULT_ADVANCE = 1;

type TextFont = { definition: OfdFont; embeddedFont: GlyphFont | null; isBold: boolean; isItalic: boolean };
type TextPaints = { fill: Paint | null; stroke: Paint | null; lineWidth: number };

export async function drawText(drawing: Drawing, object: XmlElement): Promise<void> {
  const size = Math.min(MAX_FONT_SIZE, parseNumberOr(object.attributes.Size, 0));
  if (!(size > 0)) return;
  const font = await findFont(drawing, object);
  const characters = placeCharacters(object, (text) => (findAdvance(drawing, font, text) ?? DEFAULT_ADVANCE) * size);
  const matrix = objectMatrix(drawing.matrix, object);
  if (drawing.hasText)
    addTextWords(drawing.canvas, { characters, size, matrix, advanceOf: (text) => findAdvance(drawing, font, text) });
  const paints = await readTextPaints(drawing, object, matrix);
  if (!paints.fill && !paints.stroke) return;
  const opacity = drawing.alpha * readAlpha(object.attributes.Alpha);
  const { canvas } = drawing;
  canvas.push('q');
  await drawClips(drawing, object, matrix);
  canvas.push(
    matrixOperator(matrix),
    alphaOperator(drawing, opacity * (paints.fill?.alpha ?? 1), opacity * (paints.stroke?.alpha ?? 1)),
    ...[paints.fill, paints.stroke].flatMap((paint) => paint?.operators ?? []),
  );
  for (const character of characters)
    if (mayDraw(drawing)) drawCharacter(drawing, object, { character, font, size, paints });
  canvas.push('Q');
}

async function findFont(drawing: Drawing, { attributes }: XmlElement): Promise<TextFont> {
  const definition = drawing.resources.fonts.get(attributes.Font ?? '') ?? UNKNOWN_FONT;
  const embeddedFont = await drawing.conversion.fonts.openEmbedded(drawing.ofd, definition);
  if (definition.isFileMissing) addNote(drawing, `字体“${definition.name}”的文件（以相近的字体显示）`);
  else if (definition.file && !embeddedFont) addNote(drawing, `字体“${definition.name}”（以相近的字体显示）`);
  return {
    definition,
    embeddedFont,
    isBold: parseNumberOr(attributes.Weight, 400) >= BOLD_WEIGHT,
    isItalic: attributes.Italic === 'true',
  };
}

async function readTextPaints(drawing: Drawing, object: XmlElement, matrix: AffineMatrix): Promise<TextPaints> {
  const sources = styleSources(drawing, object);
  const fillColor = findStyleElement(sources, 'FillColor');
  const strokeColor = findStyleElement(sources, 'StrokeColor');
  const isFilled = object.attributes.Fill !== 'false';
  const isStroked = object.attributes.Stroke === 'true';
  const black = (use: 'fill' | 'stroke') => solidPaint(BLACK, use);
  return {
    fill: isFilled
      ? ((fillColor && (await readPaint(drawing, fillColor, { use: 'fill', matrix }))) ?? black('fill'))
      : null,
    stroke: isStroked
      ? ((strokeColor && (await readPaint(drawing, strokeColor, { use: 'stroke', matrix }))) ?? black('stroke'))
      : null,
    lineWidth: readLineWidth(sources),
  };
}

type CharacterOptions = { character: PlacedCharacter; font: TextFont; size: number; paints: TextPaints };
type ChosenGlyph = { font: GlyphFont; glyph: number; isSubstitute: boolean };

function drawCharacter(
  drawing: Drawing,
  object: XmlElement,
  { character, font, size, paints }: CharacterOptions,
): void {
  if (character.glyph === null || /^\s$/.test(character.text)) return;
  const chosenGlyph = chooseGlyph(drawing, font, character);
  if (!chosenGlyph) {
    addNote(drawing, `没有字形的字“${character.text}”`);
    return;
  }
  const outline = chosenGlyph.font.outline(chosenGlyph.glyph);
  if (outline === '') return;
  const { canvas, conversion } = drawing;
  canvas.push('q', matrixOperator(glyphMatrix(object, character, chosenGlyph, { font, size })));
  const isEmboldened = font.isBold && !chosenGlyph.font.isBold && paints.fill !== null && paints.stroke === null;
  if (paints.fill && !paints.fill.isPattern && !paints.stroke && !isEmboldened)
    canvas.push(`${canvas.use(conversion.glyphForms.find(chosenGlyph.font, chosenGlyph.glyph, outline))} Do Q`);
  else canvas.push(...paintOutline(outline, size / chosenGlyph.font.unitsPerEm, { paints, size, isEmboldened }), 'Q');
}

/** Operators for an outline whose stroke or pattern a form would not inherit. `unit` is the size of a font unit. */
function paintOutline(
  outline: string,
  unit: number,
  { paints, size, isEmboldened }: { paints: TextPaints; size: number; isEmboldened: boolean },
): string[] {
  if (isEmboldened)
    return [strokeLikeFill(paints.fill), `${formatNumber((BOLD_STROKE * size) / unit)} w`, outline, 'B'];
  const lineWidth = `${formatNumber(paints.lineWidth / unit)} w`;
  return [lineWidth, outline, paints.fill && paints.stroke ? 'B' : paints.fill ? 'f' : 'S'];
}

/** The operators for strokes are those for filling, in capitals. */
const strokeLikeFill = (fill: Paint | null): string =>
  (fill?.operators ?? '').replace(/\b(?:g|rg|k|cs|scn)\b/g, (operator) => operator.toUpperCase());

function chooseGlyph(drawing: Drawing, font: TextFont, { text, glyph }: PlacedCharacter): ChosenGlyph | null {
  const { embeddedFont, definition } = font;
  if (embeddedFont && glyph !== undefined && glyph !== null && glyph < embeddedFont.glyphs)
    return { font: embeddedFont, glyph, isSubstitute: false };
  const codePoint = text.codePointAt(0) ?? 0;
  const embeddedGlyph = embeddedFont?.glyphOf(codePoint) ?? 0;
  if (embeddedFont && embeddedGlyph > 0) return { font: embeddedFont, glyph: embeddedGlyph, isSubstitute: false };
  return drawing.conversion.fonts.findSubstituteGlyph(definition, font, codePoint);
}

/** Maps font units to the coordinates of the text object, whose y axis points down. */
function glyphMatrix(
  { attributes }: XmlElement,
  character: PlacedCharacter,
  { font: glyphFont, glyph, isSubstitute }: ChosenGlyph,
  { font, size }: { font: TextFont; size: number },
): AffineMatrix {
  const unit = size / glyphFont.unitsPerEm;
  const advance = (glyphFont.advance(glyph) ?? DEFAULT_ADVANCE) * size;
  const { delta } = character;
  // Ideographs keep their shape: in vertical text their offsets say nothing about their width.
  const isTooWide = isSubstitute && delta !== null && delta > 0 && delta < advance && !isWideCharacter(character.text);
  const widthFactor = isTooWide ? Math.max(MIN_WIDTH_FACTOR, delta / advance) : 1;
  const slant = font.isItalic && !glyphFont.isItalic ? ITALIC_SLANT : 0;
  const angle = (parseNumberOr(attributes.CharDirection, 0) * Math.PI) / 180;
  const rotation: AffineMatrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
  return combine(
    scaling(unit, -unit),
    [1, 0, -slant, 1, 0, 0],
    scaling(parseNumberOr(attributes.HScale, 1) * widthFactor, 1),
    rotation,
    translation(character.x, character.y),
  );
}

/** The width of a character in units of the font size; null when no font has it. */
function findAdvance(drawing: Drawing, font: TextFont, text: string): number | null {
  const chosenGlyph = chooseGlyph(drawing, font, { text, x: 0, y: 0, delta: null });
  return chosenGlyph ? chosenGlyph.font.advance(chosenGlyph.glyph) : null;
}
