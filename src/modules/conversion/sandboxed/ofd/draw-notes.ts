import { type Canvas, formatNumber, matrixOperator } from './canvas.ts';
import { type FontStore, UNKNOWN_FONT } from './font-store.ts';
import type { OfdBox } from './geometry.ts';
import { combine, scaling, translation } from './geometry.ts';
import { POINTS_PER_MILLIMETRE } from './text-words.ts';

const SIZE = 2.6;
const MARGIN = 2;
const LINE_HEIGHT = 1.5;
const MAX_LINES = 4;
const DEFAULT_ADVANCE = 1;
const NOTE_FONT = { ...UNKNOWN_FONT, name: 'Noto Sans CJK SC', family: '' };
const PLAIN_STYLE = { isBold: false, isItalic: false };

type NotesTarget = { canvas: Canvas; fonts: FontStore };

/** Writes at the bottom of the page what on it could not be drawn. */
export function drawNotes({ canvas, fonts }: NotesTarget, notes: ReadonlySet<string>, box: OfdBox): void {
  if (notes.size === 0) return;
  const lines = wrapText(fonts, `本页有内容无法显示：${[...notes].join('、')}`, box.width - 4 * MARGIN);
  const height = (lines.length - 1) * LINE_HEIGHT * SIZE + SIZE + 2 * MARGIN;
  const top = box.y + box.height - height - MARGIN;
  canvas.push(
    'q 1 0.96 0.86 rg',
    `${[box.x + MARGIN, top, box.width - 2 * MARGIN, height].map(formatNumber).join(' ')} re f`,
    '0.45 0.25 0 rg',
  );
  lines.forEach((text, index) => {
    drawLine(
      { canvas, fonts },
      {
        text,
        x: box.x + 2 * MARGIN,
        baseLine: top + MARGIN + SIZE * (0.85 + index * LINE_HEIGHT),
        box,
      },
    );
  });
  canvas.push('Q');
}

function drawLine(
  { canvas, fonts }: NotesTarget,
  line: { text: string; x: number; baseLine: number; box: OfdBox },
): void {
  let { x } = line;
  for (const character of line.text) {
    const drawnGlyph = fonts.findSubstituteGlyph(NOTE_FONT, PLAIN_STYLE, character.codePointAt(0) ?? 0);
    if (!drawnGlyph) continue;
    const unit = SIZE / drawnGlyph.font.unitsPerEm;
    canvas.push('q', matrixOperator(combine(scaling(unit, -unit), translation(x, line.baseLine))));
    canvas.push(drawnGlyph.font.outline(drawnGlyph.glyph), 'f Q');
    x += (drawnGlyph.font.advance(drawnGlyph.glyph) ?? DEFAULT_ADVANCE) * SIZE;
  }
  const points = (millimetres: number) => millimetres * POINTS_PER_MILLIMETRE;
  canvas.addWord({
    text: line.text,
    x: points(line.x - line.box.x),
    y: points(line.baseLine - line.box.y - 0.8 * SIZE),
    width: points(x - line.x),
    height: points(SIZE),
  });
}

/** Breaks a text between any two characters. */
function wrapText(fonts: FontStore, text: string, maxWidth: number): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const character of text) {
    const drawnGlyph = fonts.findSubstituteGlyph(NOTE_FONT, PLAIN_STYLE, character.codePointAt(0) ?? 0);
    const advance = (drawnGlyph?.font.advance(drawnGlyph.glyph) ?? DEFAULT_ADVANCE) * SIZE;
    if (width + advance > maxWidth && line !== '') {
      lines.push(line);
      [line, width] = ['', 0];
    }
    line += character;
    width += advance;
  }
  return [...lines, line].slice(0, MAX_LINES);
}
