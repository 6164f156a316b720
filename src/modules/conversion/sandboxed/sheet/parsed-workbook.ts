import { readFileSync } from 'node:fs';
import XLSX from '@e965/xlsx';
import { decodeMarkup } from '../../detect/markup-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { cellText, declaredRows, type SheetCells } from './arrange-sheet.ts';
import { loadBuiltInFormats, PARSING_OPTIONS, readZippedWorkbook, withChineseNamedDates } from './built-in-formats.ts';
import { readCellLinks } from './cell-links.ts';
import { excelVisibility, hiddenExcelSheets } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS, MAX_ROWS_WITHOUT_STREAMING } from './limits.ts';
import { formatExcelCell } from './number-format.ts';
import { addMissingStylesPart, parseOdsVisibility, readOdsPart } from './ods-visibility.ts';
import type { OpenWorkbook } from './open-workbook.ts';
import { readAppearance } from './read-appearance.ts';
import type { RowBudget } from './row-budget.ts';
import type { WorkbookFormat } from './sheet.ts';
import { readZeroRowAndColumnSizes } from './zero-row-and-column-sizes.ts';

const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** Parsing holds several copies of the XML in memory. */
const MAX_XML_BYTES = 32 * 1024 * 1024;

/** Parses a workbook whole. */
export async function openParsedWorkbook(file: string, format: WorkbookFormat): Promise<OpenWorkbook> {
  const bytes = readFileSync(file);
  const isXml = format === 'spreadsheetml' || format === 'fods';
  if (bytes.length > (isXml ? MAX_XML_BYTES : MAX_FILE_BYTES)) throw new RejectedFileError('tooLarge');
  const xml = isXml
    ? withChineseNamedDates(normalizeHiddenAttributes(withoutEmbeddedDocuments(decodeMarkup(bytes))))
    : '';
  const container = format === 'ods' ? await addMissingStylesPart(file, bytes) : bytes;
  const maxRows = format === 'xlsx' ? MAX_ROWS : MAX_ROWS_WITHOUT_STREAMING;
  const workbook = isXml ? parseWorkbook(xml, maxRows) : parseWorkbook(container, maxRows, format);
  const odsContent = format === 'ods' ? await readOdsPart(file, 'content.xml') : xml;
  const isOds = format === 'ods' || format === 'fods';
  const ods = isOds ? parseOdsVisibility(odsContent) : null;
  const zeroSizes = await readZeroRowAndColumnSizes(file, format, bytes);
  const hiddenNames = hiddenExcelSheets(workbook);
  for (const [name, { isHidden }] of ods ?? []) if (isHidden) hiddenNames.add(name);
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const { stylesOf, frozenPanes } = await readAppearance({ file, format, bytes, odsContent, hiddenNames });
  // An OpenDocument cell contains its displayed text.
  const formatCell = (cell: XLSX.CellObject) => (ods ? cell.w : formatExcelCell(cell, date1904));
  const readSheet = (name: string, budget: RowBudget): SheetCells | null => {
    const sheet = workbook.Sheets[name];
    if (!sheet) return null;
    const position = workbook.SheetNames.indexOf(name);
    // The cells of a chart sheet copy its data; the chart itself is read as a drawing.
    const info = sheet['!type'] === 'chart' ? {} : sheet;
    const cells = ((info['!data'] ?? []) as (XLSX.CellObject | undefined)[][]).slice(0, maxRows);
    const texts = readTexts(cells, budget, formatCell);
    const fileRows = declaredRows(info);
    const styleOf = stylesOf(name);
    return {
      info,
      texts,
      visibility: ods?.get(name) ?? excelVisibility(info, zeroSizes[position]),
      fileRows,
      isCut: texts.length < cells.length || (fileRows ?? 0) > maxRows,
      frozen: frozenPanes.get(name),
      links: readCellLinks(cells),
      styleAt: styleOf && ((row, column) => styleOf(row, column, cells[row]?.[column])),
    };
  };
  const readSheetLater = async (name: string, budget: RowBudget) => readSheet(name, budget);
  return { names: workbook.SheetNames, hiddenNames, readSheet: readSheetLater, close: () => {} };
}

function readTexts(
  cells: (XLSX.CellObject | undefined)[][],
  budget: RowBudget,
  formatCell: (cell: XLSX.CellObject) => string | undefined,
): string[][] {
  const texts: string[][] = [];
  for (const row of Array.from(cells)) {
    const rowTexts = Array.from((row ?? []).slice(0, MAX_COLUMNS), (cell) => (cell ? cellText(cell, formatCell) : ''));
    if (!budget.takeRow(texts.length, rowTexts)) break;
    texts.push(rowTexts);
  }
  return texts;
}

const EMBEDDED_DOCUMENT = /<draw:object(?:\s[^<>]*)?(?<!\/)>[\s\S]*?<\/draw:object>/g;

/** A flat OpenDocument file contains the document of each chart, whose tables are not sheets. */
const withoutEmbeddedDocuments = (xml: string) => xml.replace(EMBEDDED_DOCUMENT, '');

const ROW_OR_COLUMN = /<(?:[\w.-]+:)?(?:Row|Column)\s[^<>]*>/g;

/** For XML of Excel 2003 the library accepts only the value 1 in rows, and treats any value as true in columns. */
const normalizeHiddenAttributes = (xml: string) =>
  xml.replace(ROW_OR_COLUMN, (tag) =>
    tag
      .replace(/([\s:]Hidden\s*=\s*)(?:"true"|'true')/i, '$1"1"')
      .replace(/\s(?:[\w.-]+:)?Hidden\s*=\s*(["'])(?:0|false)\1/i, ''),
  );

function parseWorkbook(data: Buffer | string, maxRows: number, format?: WorkbookFormat): XLSX.WorkBook {
  const options = { ...PARSING_OPTIONS, sheetRows: maxRows };
  try {
    if (typeof data === 'string') return XLSX.read(data, { ...options, type: 'string' });
    if (format === 'xlsx' || format === 'xlsb') return readZippedWorkbook(data, options);
    if (format === 'xls') loadBuiltInFormats();
    return XLSX.read(data, { ...options, type: 'buffer' });
  } catch (error) {
    const message = String(error);
    throw new RejectedFileError(/password|encrypt/i.test(message) ? 'encrypted' : 'damaged', message);
  }
}
