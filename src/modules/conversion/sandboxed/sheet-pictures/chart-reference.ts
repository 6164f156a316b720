/** Cells that a chart shows. Rows and columns count from 0, and the last ones belong to the range. */
export type ChartRange = { sheet: string; row: number; lastRow: number; column: number; lastColumn: number };

const MAX_LENGTH = 10_000;
/** The largest sheet of Excel. */
const [LAST_ROW, LAST_COLUMN] = [1_048_575, 16_383];
/** Commas within quoted names of sheets separate nothing. */
const RANGE_OF_UNION = /(?:'(?:[^']|'')*'|[^,'])+/g;
const SHEET_AND_CORNERS = /^(?:'((?:[^']|'')+)'|([^'!:\s]+))!([^!:]+)(?::([^!:]+))?$/;
const CORNER = /^\$?([A-Z]{0,3})\$?(\d{0,7})$/i;
const OTHER_WORKBOOK = /^'?\[[1-9]\d*\][^,]+$/;

/**
 * Ranges of the cells that a formula of a chart names: a range, whole rows or columns, or several ranges in parentheses.
 * Empty for cells of another workbook, and null for a formula of another kind, such as a name.
 */
export function parseChartReference(formula: string): ChartRange[] | null {
  const union = formula.trim().replace(/^\((.*)\)$/s, '$1');
  if (union.length > MAX_LENGTH) return null;
  if (OTHER_WORKBOOK.test(union)) return [];
  const ranges = (union.match(RANGE_OF_UNION) ?? []).map((range) => parseRange(range.trim()));
  return ranges.length > 0 && ranges.every((range) => range !== null) ? ranges : null;
}

function parseRange(text: string): ChartRange | null {
  const [, quotedName, name = '', start = '', end] = SHEET_AND_CORNERS.exec(text) ?? [];
  const [first, last] = [parseCorner(start), parseCorner(end ?? start)];
  const rows = indexRange(first.row, last.row, LAST_ROW);
  const columns = indexRange(first.column, last.column, LAST_COLUMN);
  const isCellOrRange = end !== undefined || (first.row !== undefined && first.column !== undefined);
  const isWholeSheet = first.row === undefined && first.column === undefined;
  if (!rows || !columns || !isCellOrRange || isWholeSheet) return null;
  const sheet = quotedName?.replaceAll("''", "'") ?? name;
  return { sheet, row: rows[0], lastRow: rows[1], column: columns[0], lastColumn: columns[1] };
}

function parseCorner(text: string): { row?: number; column?: number } {
  const [, letters, digits] = CORNER.exec(text) ?? [];
  return {
    ...(digits && { row: Number(digits) - 1 }),
    ...(letters && { column: columnNumber(letters) - 1 }),
  };
}

const columnNumber = (letters: string) =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

/** A range without indexes of this kind consists of whole rows or columns. */
function indexRange(first: number | undefined, last: number | undefined, max: number): [number, number] | null {
  if (first === undefined && last === undefined) return [0, max];
  if (first === undefined || last === undefined) return null;
  const [start, end] = [Math.min(first, last), Math.max(first, last)];
  return start >= 0 && end <= max ? [start, end] : null;
}
