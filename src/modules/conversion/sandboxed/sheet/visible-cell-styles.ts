import type XLSX from '@e965/xlsx';
import type { CellStyle } from '../../cell-style.contract.ts';
import { openZip } from '../flow/zip-reader.ts';
import type { Visibility } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS } from './limits.ts';
import type { Sheet } from './sheet.ts';
import { type CellFormat, readXlsxCellFormats } from './xlsx-cell-styles.ts';
import { listSheetParts } from './xlsx-drawings.ts';
import { type StyleNumbers, scanStyleNumbers, styleNumberAt } from './xlsx-style-numbers.ts';
import { MAX_SHEET_BYTES } from './zero-row-and-column-sizes.ts';

/** Style of the cell at a position of the file, which may be empty. */
export type StyleAt = (row: number, column: number, cell: XLSX.CellObject | undefined) => CellStyle | undefined;

/** Reads the formats of an xlsx file and which cells of the named sheets have them. */
export async function readXlsxStyles(file: string, names: string[]): Promise<(name: string) => StyleAt | undefined> {
  const zip = await openZip(file);
  try {
    const formats = await readXlsxCellFormats(zip);
    const numbers = new Map<string, StyleNumbers>();
    for (const { name, part } of await listSheetParts(zip)) {
      const sheet = part && names.includes(name) ? await zip.read(part, MAX_SHEET_BYTES) : null;
      if (sheet) numbers.set(name, scanStyleNumbers(sheet));
    }
    const styleOf = styleCache(formats);
    return (name) => {
      const sheet = numbers.get(name);
      return sheet && ((row, column, cell) => styleOf(styleNumberAt(sheet, row, column), cell));
    };
  } finally {
    zip.close();
  }
}

const isNumber = (cell: XLSX.CellObject | undefined) => cell?.t === 'n' || cell?.t === 'd';
const isCentered = (cell: XLSX.CellObject | undefined) => cell?.t === 'b' || cell?.t === 'e';

/** Returns one object for all cells of a format and alignment; undefined for a style without properties. */
function styleCache(formats: CellFormat[]) {
  const nonEmpty = (style: CellStyle) => (Object.keys(style).length > 0 ? style : undefined);
  const styles = formats.map(({ style, isAligned }) => ({
    ofText: nonEmpty(style),
    ofNumber: nonEmpty(isAligned ? style : { ...style, align: 'right' }),
    ofFlag: nonEmpty(isAligned ? style : { ...style, align: 'center' }),
  }));
  return (number: number, cell: XLSX.CellObject | undefined): CellStyle | undefined => {
    const format = styles[number] ?? styles[0];
    if (isNumber(cell)) return format?.ofNumber;
    return isCentered(cell) ? format?.ofFlag : format?.ofText;
  };
}

/** Styles of the first visible rows and columns; undefined if no cell has one. */
export function stylesOfVisibleCells(
  cells: (XLSX.CellObject | undefined)[][],
  size: { rows: number; columns: number },
  { visibility, styleAt }: { visibility: Visibility; styleAt: StyleAt },
): Sheet['styles'] {
  const rows = visibleIndexes(MAX_ROWS, visibility.isRowHidden).slice(0, size.rows);
  const columns = visibleIndexes(MAX_COLUMNS, visibility.isColumnHidden).slice(0, size.columns);
  const styles = rows.map((row) => columns.map((column) => styleAt(row, column, cells[row]?.[column])));
  return styles.some((row) => row.some(Boolean)) ? styles : undefined;
}

const visibleIndexes = (count: number, isHidden: (index: number) => boolean): number[] =>
  Array.from({ length: count }, (_, index) => index).filter((index) => !isHidden(index));
