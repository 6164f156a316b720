import { MAX_COLUMNS, MAX_ROWS } from './limits.ts';

/** Numbers of the formats that cells, rows and columns of a sheet have. */
export type StyleNumbers = {
  cells: (number[] | undefined)[];
  rows: (number | undefined)[];
  columns: (number | undefined)[];
};

const CHUNK_BYTES = 4 * 1024 * 1024;
const TAG = /<(?:[\w.-]+:)?(row|col|c)(\s[^<>]*)?>|<\/(?:[\w.-]+:)?sheetData\s*>/g;
const STYLE = /\ss\s*=\s*["'](\d{1,5})["']/;
const ROW_NUMBER = /\sr\s*=\s*["'](\d{1,7})["']/;
const CELL_NAME = /\sr\s*=\s*["']([A-Z]{1,3})(\d{1,7})["']/;
const HAS_ROW_STYLE = /\scustomFormat\s*=\s*["'](?:1|true)["']/;

/** Names and attributes are ASCII; the text of cells is skipped. */
export function scanStyleNumbers(sheet: Buffer): StyleNumbers {
  const numbers: StyleNumbers = { cells: [], rows: [], columns: [] };
  let row = -1;
  let column = -1;
  for (const chunk of markupChunks(sheet)) {
    for (const [, name, attributes = ''] of chunk.matchAll(TAG)) {
      if (name === undefined) return numbers;
      const style = Number(attributes.match(STYLE)?.[1] ?? 0);
      if (name === 'col') setColumnStyles(numbers.columns, attributes);
      else if (name === 'row') {
        // A row or cell without a position follows the previous one.
        row = Number(attributes.match(ROW_NUMBER)?.[1] ?? row + 2) - 1;
        column = -1;
        if (row >= MAX_ROWS) return numbers;
        if (HAS_ROW_STYLE.test(attributes)) numbers.rows[row] = style;
      } else {
        const letters = attributes.match(CELL_NAME)?.[1];
        column = letters ? columnIndex(letters) : column + 1;
        if (row < 0 || column >= MAX_COLUMNS) continue;
        const cells = numbers.cells[row] ?? [];
        numbers.cells[row] = cells;
        cells[column] = style;
      }
    }
  }
  return numbers;
}

/** Divides the markup between elements, so that the text of a large sheet is not copied whole. */
function* markupChunks(sheet: Buffer): Generator<string> {
  for (let start = 0; start < sheet.length; ) {
    const limit = Math.min(start + CHUNK_BYTES, sheet.length);
    const lastTagEnd = sheet.lastIndexOf('>', limit - 1) + 1;
    const end = limit === sheet.length || lastTagEnd <= start ? limit : lastTagEnd;
    yield sheet.toString('latin1', start, end);
    start = end;
  }
}

function setColumnStyles(columns: StyleNumbers['columns'], attributes: string): void {
  const numberOf = (name: string) => Number(attributes.match(new RegExp(`\\s${name}\\s*=\\s*["'](\\d{1,5})["']`))?.[1]);
  const style = numberOf('style');
  if (!style) return;
  for (let column = numberOf('min') - 1; column < Math.min(numberOf('max'), MAX_COLUMNS); column++)
    columns[column] = style;
}

const columnIndex = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** The format of a cell takes precedence over that of its row, and that over its column. */
export const styleNumberAt = ({ cells, rows, columns }: StyleNumbers, row: number, column: number): number =>
  cells[row]?.[column] ?? rows[row] ?? columns[column] ?? 0;
