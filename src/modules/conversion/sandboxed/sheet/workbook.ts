import { readFileSync } from 'node:fs';
import XLSX from '@e965/xlsx';
import { decodeMarkup } from '../../detect/markup-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { addDrawingText } from './add-drawing-text.ts';
import { loadBuiltInFormats, readZippedWorkbook, withChineseNamedDates } from './built-in-formats.ts';
import {
  excelVisibility,
  hiddenExcelSheets,
  numbersOfVisibleRowsOrColumns,
  type Visibility,
  visibleCells,
} from './cell-visibility.ts';
import { cleanCellText, MAX_COLUMNS, MAX_ROWS, MAX_SHEETS, trimRows } from './limits.ts';
import { copyMergedTextToVisibleCell, visibleMergedCells } from './merged-cells.ts';
import { formatExcelCell } from './number-format.ts';
import { addMissingStylesPart, parseOdsVisibility, readOdsContent } from './ods-visibility.ts';
import type { Sheet, WorkbookFormat } from './sheet.ts';
import { readXlsxStyles, type StyleAt, stylesOfVisibleCells } from './visible-cell-styles.ts';
import { readZeroRowAndColumnSizes } from './zero-row-and-column-sizes.ts';

const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** Parsing holds several copies of the XML in memory. */
const MAX_XML_BYTES = 32 * 1024 * 1024;

/**
 * Reads the visible cells of a workbook: sheets, rows and columns that the author has hidden are left out. Formulas are
 * not computed and links are not followed.
 */
export async function readWorkbook(file: string, format: WorkbookFormat): Promise<Sheet[]> {
  const bytes = readFileSync(file);
  const isXml = format === 'spreadsheetml' || format === 'fods';
  if (bytes.length > (isXml ? MAX_XML_BYTES : MAX_FILE_BYTES)) throw new RejectedFileError('tooLarge');
  const xml = isXml ? withChineseNamedDates(normalizeHiddenAttributes(decodeMarkup(bytes))) : '';
  const container = format === 'ods' ? await addMissingStylesPart(file, bytes) : bytes;
  const workbook = isXml ? parseWorkbook(xml) : parseWorkbook(container, format);
  const ods = await readOdsVisibility(file, format, xml);
  const zeroSizes = await readZeroRowAndColumnSizes(file, format, bytes);
  const hiddenSheets = hiddenExcelSheets(workbook);
  const visibleNames = workbook.SheetNames.filter((name) => !hiddenSheets.has(name) && !ods?.get(name)?.isHidden);
  if (visibleNames.length === 0 && workbook.SheetNames.length > 0) throw new RejectedFileError('hiddenSheets');
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const stylesOf = format === 'xlsx' ? await readXlsxStyles(file, visibleNames.slice(0, MAX_SHEETS)) : () => undefined;
  const sheets = visibleNames.slice(0, MAX_SHEETS).flatMap((name) => {
    const sheet = workbook.Sheets[name];
    if (!sheet) return [];
    const position = workbook.SheetNames.indexOf(name);
    const visibility = ods?.get(name) ?? excelVisibility(sheet, zeroSizes[position]);
    // An OpenDocument cell contains its displayed text.
    const formatCell = (cell: XLSX.CellObject) => (ods ? cell.w : formatExcelCell(cell, date1904));
    // The cells of a chart sheet copy its data; the chart itself is read as a drawing.
    const cells = sheet['!type'] === 'chart' ? {} : sheet;
    return [readSheet(name, cells, { visibility, formatCell, styleAt: stylesOf(name) })];
  });
  return addDrawingText(file, format, sheets);
}

const ROW_OR_COLUMN = /<(?:[\w.-]+:)?(?:Row|Column)\s[^<>]*>/g;

/** For XML of Excel 2003 the library accepts only the value 1 in rows, and treats any value as true in columns. */
const normalizeHiddenAttributes = (xml: string) =>
  xml.replace(ROW_OR_COLUMN, (tag) =>
    tag
      .replace(/([\s:]Hidden\s*=\s*)(?:"true"|'true')/i, '$1"1"')
      .replace(/\s(?:[\w.-]+:)?Hidden\s*=\s*(["'])(?:0|false)\1/i, ''),
  );

/** Null for other formats, whose visibility the library reports. */
async function readOdsVisibility(file: string, format: WorkbookFormat, xml: string) {
  if (format === 'ods') return parseOdsVisibility(await readOdsContent(file));
  return format === 'fods' ? parseOdsVisibility(xml) : null;
}

const PARSING_OPTIONS: XLSX.ParsingOptions = {
  dense: true,
  sheetRows: MAX_ROWS,
  cellFormula: false,
  cellHTML: false,
  cellNF: true,
  cellStyles: true,
  bookVBA: false,
  WTF: false,
};

function parseWorkbook(data: Buffer | string, format?: WorkbookFormat): XLSX.WorkBook {
  try {
    if (typeof data === 'string') return XLSX.read(data, { ...PARSING_OPTIONS, type: 'string' });
    if (format === 'xlsx' || format === 'xlsb') return readZippedWorkbook(data, PARSING_OPTIONS);
    if (format === 'xls') loadBuiltInFormats();
    return XLSX.read(data, { ...PARSING_OPTIONS, type: 'buffer' });
  } catch (error) {
    const message = String(error);
    throw new RejectedFileError(/password|encrypt/i.test(message) ? 'encrypted' : 'damaged', message);
  }
}

type SheetReader = {
  visibility: Visibility;
  formatCell(cell: XLSX.CellObject): string | undefined;
  styleAt: StyleAt | undefined;
};

function readSheet(name: string, sheet: XLSX.WorkSheet, reader: SheetReader): Sheet {
  const { visibility, formatCell, styleAt } = reader;
  const cells = (sheet['!data'] ?? []) as (XLSX.CellObject | undefined)[][];
  const rows = Array.from(cells.slice(0, MAX_ROWS), (row) =>
    Array.from((row ?? []).slice(0, MAX_COLUMNS), (cell) => (cell ? displayedText(cell, formatCell) : '')),
  );
  copyMergedTextToVisibleCell(rows, sheet['!merges'] ?? [], visibility);
  const mergedCells = visibleMergedCells(sheet['!merges'] ?? [], visibility);
  const visibleRows = visibleCells(rows, visibility);
  const trimmedRows = trimRows(visibleRows);
  // The declared range covers rows that were cut while reading.
  const fullRange = sheet['!fullref'] ?? sheet['!ref'];
  const total = fullRange ? XLSX.utils.decode_range(fullRange).e.r + 1 : trimmedRows.length;
  const widths = Array.from((sheet['!cols'] ?? []).slice(0, MAX_COLUMNS))
    .filter((_, column) => !visibility.isColumnHidden(column))
    .map((column) => Math.round(column?.wch ?? 0));
  const rowNumbers = numbersOfVisibleRowsOrColumns(trimmedRows.length, visibility.isRowHidden);
  const columnCount = Math.max(0, ...trimmedRows.map((row) => row.length));
  const columnNumbers = numbersOfVisibleRowsOrColumns(columnCount, visibility.isColumnHidden);
  const styles =
    styleAt && stylesOfVisibleCells(cells, { rows: trimmedRows.length, columns: columnCount }, { visibility, styleAt });
  return {
    name: cleanCellText(name).slice(0, 100),
    rows: trimmedRows,
    ...(styles && { styles }),
    ...(mergedCells.length > 0 && { mergedCells }),
    total: total > MAX_ROWS ? total - (rows.length - visibleRows.length) : trimmedRows.length,
    widths,
    ...(rowNumbers && { rowNumbers }),
    ...(columnNumbers && { columnNumbers }),
  };
}

function displayedText(cell: XLSX.CellObject, formatCell: SheetReader['formatCell']): string {
  const text = formatCell(cell);
  if (text !== undefined) return cleanCellText(text);
  if (cell.v === undefined || cell.v === null) return '';
  return cleanCellText(cell.v instanceof Date ? cell.v.toISOString() : String(cell.v));
}
