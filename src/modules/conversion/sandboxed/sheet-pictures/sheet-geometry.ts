import type { Zip } from '../flow/zip-reader.ts';
import { MAX_SHEET_BYTES } from '../sheet/zero-row-and-column-sizes.ts';

/** Sizes in pixels at 96 dpi, 0 for hidden rows and columns. */
export type SheetGeometry = { columnWidth(column: number): number; rowHeight(row: number): number };

const [DEFAULT_WIDTH, DEFAULT_HEIGHT] = [64, 20];
/** Width of a digit of the default font. */
const PIXELS_PER_CHARACTER = 7;
const PIXELS_PER_POINT = 4 / 3;
const MAX_COLUMN_RANGES = 5_000;
const MAX_HEAD_CHARACTERS = 1024 * 1024;
/** Longer than a tag of a row with all its attributes. */
const OVERLAP_CHARACTERS = 500;

const ROW_TAG = /<(?:[\w.-]+:)?row(\s[^<>]*)>/g;
const COLUMN_TAG = /<(?:[\w.-]+:)?col(\s[^<>]*)>/g;
const FORMAT_TAG = /<(?:[\w.-]+:)?sheetFormatPr(\s[^<>]*)>/;

const numberOf = (attributes: string, name: string): number | undefined => {
  const value = new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]{1,20})["']`).exec(attributes)?.[1];
  return value === undefined ? undefined : Number(value);
};
const isHidden = (attributes: string) => /\shidden\s*=\s*["'](?:1|true)["']/.test(attributes);

/** Reads the sizes of the rows and columns of a worksheet; a binary one has sizes by default. */
export async function readSheetGeometry(zip: Zip, part: string): Promise<SheetGeometry> {
  const heights = new Map<number, number>();
  let [head, isHeadComplete, tail] = ['', false, ''];
  for await (const chunk of (part.endsWith('.xml') && zip.stream(part, MAX_SHEET_BYTES)) || []) {
    const text = tail + chunk.toString('latin1');
    if (!isHeadComplete) head += text.slice(tail.length);
    isHeadComplete ||= head.includes('sheetData') || head.length > MAX_HEAD_CHARACTERS;
    for (const [, attributes = ''] of text.matchAll(ROW_TAG)) {
      const points = isHidden(attributes) ? 0 : numberOf(attributes, 'ht');
      const row = numberOf(attributes, 'r');
      if (points !== undefined && row !== undefined) heights.set(row - 1, points * PIXELS_PER_POINT);
    }
    tail = text.slice(-OVERLAP_CHARACTERS);
  }
  const [, format = ''] = FORMAT_TAG.exec(head) ?? [];
  const defaultHeight = (numberOf(format, 'defaultRowHeight') ?? 0) * PIXELS_PER_POINT || DEFAULT_HEIGHT;
  return { columnWidth: columnWidths(head, format), rowHeight: (row) => heights.get(row) ?? defaultHeight };
}

function columnWidths(head: string, format: string): SheetGeometry['columnWidth'] {
  const defaultWidth = (numberOf(format, 'defaultColWidth') ?? 0) * PIXELS_PER_CHARACTER || DEFAULT_WIDTH;
  const ranges = [...head.matchAll(COLUMN_TAG)].slice(0, MAX_COLUMN_RANGES).map(([, attributes = '']) => ({
    first: (numberOf(attributes, 'min') ?? 1) - 1,
    last: (numberOf(attributes, 'max') ?? 1) - 1,
    width: isHidden(attributes) ? 0 : (numberOf(attributes, 'width') ?? 0) * PIXELS_PER_CHARACTER || defaultWidth,
  }));
  const widths = new Map<number, number>();
  return (column) => {
    const knownWidth = widths.get(column);
    if (knownWidth !== undefined) return knownWidth;
    const width = ranges.find(({ first, last }) => column >= first && column <= last)?.width ?? defaultWidth;
    widths.set(column, width);
    return width;
  };
}

/** A drawing beyond this number of rows or columns from its begin is cut. */
const MAX_SPAN = 2_000;

/** The position this many pixels after another one. */
export function advance(from: number, pixels: number, sizeOf: (index: number) => number): number {
  let rest = pixels + (from % 1) * sizeOf(Math.floor(from));
  const first = Math.floor(from);
  for (let index = first; index < first + MAX_SPAN; index++) {
    const size = sizeOf(index);
    if (size > 0 && rest <= size) return index + rest / size;
    rest -= size;
  }
  return first + MAX_SPAN;
}

/** Pixels between two positions. */
export function pixelsBetween(from: number, to: number, sizeOf: (index: number) => number): number {
  let pixels = -(from % 1) * sizeOf(Math.floor(from));
  const end = Math.min(to, from + MAX_SPAN);
  for (let index = Math.floor(from); index < end; index++) pixels += Math.min(1, end - index) * sizeOf(index);
  return pixels;
}
