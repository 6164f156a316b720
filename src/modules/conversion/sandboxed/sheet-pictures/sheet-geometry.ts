import type { Zip } from '../flow/zip-reader.ts';
import { MAX_SHEET_BYTES } from '../sheet/zero-row-and-column-sizes.ts';

/** Sizes in pixels at 96 dpi, 0 for hidden rows and columns. */
export type SheetGeometry = {
  columnWidth(column: number): number;
  rowHeight(row: number): number;
  hasHiddenCells: boolean;
};

const [DEFAULT_WIDTH, DEFAULT_HEIGHT] = [64, 20];
/** Width of a digit of the default font. */
const PIXELS_PER_CHARACTER = 7;
const PIXELS_PER_POINT = 4 / 3;
/** One for each column of the largest sheet. */
const MAX_COLUMN_RANGES = 16_384;
const MAX_HEAD_CHARACTERS = 1024 * 1024;
/** Longer than a tag of a row with all its attributes. */
const MAX_TAG_CHARACTERS = 10_000;

const ROW_TAG = /<(?:[\w.-]+:)?row(?=[\s/>])([^<>]*)>/g;
const COLUMN_TAG = /<(?:[\w.-]+:)?col(\s[^<>]*)>/g;
const FORMAT_TAG = /<(?:[\w.-]+:)?sheetFormatPr(\s[^<>]*)>/;

const numberOf = (attributes: string, name: string): number | undefined => {
  const value = new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]{1,20})["']`).exec(attributes)?.[1];
  return value === undefined ? undefined : Number(value);
};
const isHidden = (attributes: string) => /\shidden\s*=\s*["'](?:1|true)["']/.test(attributes);

/** Reads the sizes of the rows and columns of a worksheet; a binary one has sizes by default. */
export async function readSheetGeometry(zip: Zip, part: string): Promise<SheetGeometry> {
  const heights: number[] = [];
  let [row, hasHiddenRows] = [-1, false];
  let [head, isHeadComplete, tail] = ['', false, ''];
  for await (const chunk of (!part.endsWith('.bin') && zip.stream(part, MAX_SHEET_BYTES)) || []) {
    const text = tail + chunk.toString('latin1');
    const end = text.lastIndexOf('>') + 1;
    if (!isHeadComplete) head += text.slice(tail.length);
    isHeadComplete ||= head.includes('sheetData') || head.length > MAX_HEAD_CHARACTERS;
    for (const [, attributes = ''] of text.slice(0, end).matchAll(ROW_TAG)) {
      const points = isHidden(attributes) ? 0 : numberOf(attributes, 'ht');
      // A row without a number follows the previous row.
      row = (numberOf(attributes, 'r') ?? row + 2) - 1;
      if (points !== undefined) heights[row] = points * PIXELS_PER_POINT;
      hasHiddenRows ||= points === 0;
    }
    tail = text.slice(Math.max(end, text.length - MAX_TAG_CHARACTERS));
  }
  const [, format = ''] = FORMAT_TAG.exec(head) ?? [];
  const defaultHeight = (numberOf(format, 'defaultRowHeight') ?? 0) * PIXELS_PER_POINT || DEFAULT_HEIGHT;
  const columns = readColumns(head, format);
  return {
    columnWidth: columns.widthOf,
    rowHeight: (index) => heights[index] ?? defaultHeight,
    hasHiddenCells: hasHiddenRows || columns.hasHidden,
  };
}

function readColumns(head: string, format: string) {
  const pixelsOf = (characters: number | undefined) => characters && characters * PIXELS_PER_CHARACTER;
  const defaultWidth = pixelsOf(numberOf(format, 'defaultColWidth')) ?? DEFAULT_WIDTH;
  const ranges = [...head.matchAll(COLUMN_TAG)].slice(0, MAX_COLUMN_RANGES).map(([, attributes = '']) => ({
    first: (numberOf(attributes, 'min') ?? 1) - 1,
    last: (numberOf(attributes, 'max') ?? 1) - 1,
    width: isHidden(attributes) ? 0 : (pixelsOf(numberOf(attributes, 'width')) ?? defaultWidth),
  }));
  const widths = new Map<number, number>();
  const widthOf = (column: number): number => {
    const knownWidth = widths.get(column);
    if (knownWidth !== undefined) return knownWidth;
    const width = ranges.find(({ first, last }) => column >= first && column <= last)?.width ?? defaultWidth;
    widths.set(column, width);
    return width;
  };
  return { widthOf, hasHidden: defaultWidth === 0 || ranges.some(({ width }) => width === 0) };
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
