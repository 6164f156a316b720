import type { CellStyle } from '../../cell-style.contract.ts';
import { END_RECORD, readRecords } from './xls-records.ts';
import type { CellFormat } from './xlsx-cell-styles.ts';
import { INDEXED_COLORS } from './xlsx-colors.ts';

/** Record numbers of the Excel 97 format. */
const FONT = 0x31;
const PALETTE = 0x92;
const CELL_FORMAT = 0xe0;
const FONT_BYTES = 11;
const CELL_FORMAT_BYTES = 20;

/** Number of the first colour of the palette; those before it are fixed. */
const FIRST_PALETTE_COLOR = 8;
/** No font has this number. */
const MISSING_FONT = 4;
const ITALIC = 0x02;
const STRIKE = 0x08;
const BOLD_WEIGHT = 600;
const WRAP = 0x08;
const ALIGNMENTS: Record<number, CellStyle['align']> = { 2: 'center', 3: 'right', 6: 'center', 7: 'center' };

type XlsFont = { color: number; style: CellStyle };

/** Reads the formats of a workbook in Excel 97 format, by the number that cells have. */
export function readXlsFormats(book: Buffer): CellFormat[] {
  const fonts: XlsFont[] = [];
  const formats: Buffer[] = [];
  const palette = new Map<number, string>();
  for (const { type, body } of readRecords(book, 0)) {
    if (type === END_RECORD) break;
    if (type === FONT && body.length >= FONT_BYTES) fonts.push(readFont(body));
    else if (type === CELL_FORMAT && body.length >= CELL_FORMAT_BYTES) formats.push(body);
    else if (type === PALETTE)
      for (let at = 2; at + 3 <= body.length; at += 4)
        palette.set(FIRST_PALETTE_COLOR + (at - 2) / 4, body.toString('hex', at, at + 3));
  }
  // The numbers after the palette are system colours: automatic.
  const color = (number: number) => palette.get(number) ?? (number < 64 ? INDEXED_COLORS[number] : undefined);
  return formats.map((format) => readFormat(format, fonts, color));
}

function readFont(body: Buffer): XlsFont {
  const flags = body.readUInt16LE(2);
  return {
    color: body.readUInt16LE(4),
    style: {
      ...(body.readUInt16LE(6) >= BOLD_WEIGHT && { bold: true }),
      ...(flags & ITALIC && { italic: true }),
      ...(body.readUInt8(10) !== 0 && { underline: true }),
      ...(flags & STRIKE && { strike: true }),
    },
  };
}

function readFormat(body: Buffer, fonts: XlsFont[], colorOf: (number: number) => string | undefined): CellFormat {
  const fontNumber = body.readUInt16LE(0);
  const font = fonts[fontNumber > MISSING_FONT ? fontNumber - 1 : fontNumber];
  const color = font && colorOf(font.color);
  const alignment = body.readUInt8(6);
  const align = ALIGNMENTS[alignment & 0x07];
  const borders = borderSides(body.readUInt32LE(10));
  const fill = fillColor(body, colorOf);
  const style: CellStyle = {
    ...(color && color !== '000000' && { color }),
    ...font?.style,
    ...(fill && fill !== 'ffffff' && { fill }),
    ...(borders && { borders }),
    ...(align && { align }),
    ...(alignment & WRAP && { wrap: true }),
  };
  return { style, isAligned: (alignment & 0x07) !== 0 };
}

/** Line styles of the left, right, top and bottom border have four bits each. */
const borderSides = (lines: number): string =>
  [
    [8, 't'],
    [4, 'r'],
    [12, 'b'],
    [0, 'l'],
  ]
    .filter(([shift]) => ((lines >> Number(shift)) & 0x0f) !== 0)
    .map(([, side]) => side)
    .join('');

const SOLID = 1;

function fillColor(body: Buffer, colorOf: (number: number) => string | undefined): string | undefined {
  const pattern = body.readUInt32LE(14) >>> 26;
  const colors = body.readUInt16LE(18);
  if (pattern === 0) return;
  return colorOf(pattern === SOLID ? colors & 0x7f : (colors >> 7) & 0x7f);
}
