import type XLSX from '@e965/xlsx';
import type { CellStyle } from '../../cell-style.contract.ts';
import { openZip } from '../flow/zip-reader.ts';
import type { Visibility } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS, MAX_SHEETS } from './limits.ts';
import { numberFormatColor } from './number-format-color.ts';
import type { Sheet } from './sheet.ts';
import { listSheetParts } from './workbook-parts.ts';
import { type CellFormat, readXlsxCellFormats } from './xlsx-cell-styles.ts';
import { type StyleNumbers, scanStyleNumbers, styleNumberAt } from './xlsx-style-numbers.ts';
import { MAX_SHEET_BYTES } from './zero-row-and-column-sizes.ts';

/** Style of the cell at a position of the file, which may be empty. */
export type StyleAt = (row: number, column: number) => CellStyle | undefined;
export type StyleOfCell = (row: number, column: number, cell: XLSX.CellObject | undefined) => CellStyle | undefined;

/** Reads the formats of an xlsx file and which cells of the visible sheets have them. */
export async function readXlsxStyles(
  file: string,
  hiddenNames: ReadonlySet<string>,
): Promise<(name: string) => StyleOfCell | undefined> {
  const zip = await openZip(file);
  try {
    const formats = await readXlsxCellFormats(zip);
    const numbers = new Map<string, StyleNumbers>();
    for (const { name, part } of (await listSheetParts(zip)).filter(({ name }) => !hiddenNames.has(name))) {
      const sheet = part && numbers.size < MAX_SHEETS ? await zip.read(part, MAX_SHEET_BYTES) : null;
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
export function styleCache(formats: CellFormat[]) {
  const nonEmpty = (style: CellStyle) => (Object.keys(style).length > 0 ? style : undefined);
  const styles = formats.map(({ style, isAligned }) => ({
    ofText: nonEmpty(style),
    ofNumber: nonEmpty(isAligned ? style : { ...style, align: 'right' }),
    ofFlag: nonEmpty(isAligned ? style : { ...style, align: 'center' }),
  }));
  const withColor = colorCache();
  return (number: number, cell: XLSX.CellObject | undefined): CellStyle | undefined => {
    const format = styles[number] ?? styles[0];
    const style = isNumber(cell) ? format?.ofNumber : isCentered(cell) ? format?.ofFlag : format?.ofText;
    const color = cell && numberFormatColor(cell.z, cell.v);
    return color ? withColor(style, color) : style;
  };
}

/** Returns one object for all cells of a style and a colour that replaces that of its font. */
function colorCache() {
  const coloredStyles = new Map<CellStyle | undefined, Map<string, CellStyle>>();
  return (style: CellStyle | undefined, color: string): CellStyle => {
    const byColor = coloredStyles.get(style) ?? new Map<string, CellStyle>();
    coloredStyles.set(style, byColor);
    const coloredStyle = byColor.get(color) ?? { ...style, color };
    byColor.set(color, coloredStyle);
    return coloredStyle;
  };
}

/** Styles of the first visible rows and columns; undefined if no cell has one. */
export function stylesOfVisibleCells(
  size: { rows: number; columns: number },
  { visibility, styleAt }: { visibility: Visibility; styleAt: StyleAt },
): Sheet['styles'] {
  const rows = visibleIndexes(size.rows, MAX_ROWS, visibility.isRowHidden);
  const columns = visibleIndexes(size.columns, MAX_COLUMNS, visibility.isColumnHidden);
  const styles = rows.map((row) => columns.map((column) => styleAt(row, column)));
  return styles.some((row) => row.some(Boolean)) ? styles : undefined;
}

/** The first `count` visible indexes below `end`. */
function visibleIndexes(count: number, end: number, isHidden: (index: number) => boolean): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < end && indexes.length < count; index++) if (!isHidden(index)) indexes.push(index);
  return indexes;
}
