import { RejectedFileError } from '../rejection-reasons.ts';
import { readWebPageFile, type WebPage } from '../web-page/read-web-page-file.ts';
import { numbersOfVisibleRowsOrColumns } from './cell-visibility.ts';
import { readHtmlRows } from './html-rows.ts';
import { cleanCellText, MAX_ROWS_WITHOUT_STREAMING, MAX_SHEETS, trimRows } from './limits.ts';
import type { Sheet } from './sheet.ts';

/**
 * Reads a web page that was saved as a workbook. As in Excel, a page is one sheet with its tables below each other; an
 * archive has a page for each sheet of the original workbook.
 */
export function readHtmlSheets(file: string): Sheet[] {
  const { pages } = readWebPageFile(file);
  const sheets = findWorksheets(pages).map(({ name, html }) => {
    const { rows, total } = readHtmlRows(html);
    const trimmedRows = trimRows(rows.map(({ cells }) => cells));
    return {
      name,
      rows: trimmedRows,
      total: total > MAX_ROWS_WITHOUT_STREAMING ? total : trimmedRows.length,
      widths: [],
      ...rowAndColumnNumbers(rows.slice(0, trimmedRows.length), trimmedRows),
    };
  });
  if (sheets.every(({ rows }) => rows.length === 0)) throw new RejectedFileError('empty');
  return sheets;
}

/** Columns keep their numbers if all tables of the page hide the same ones. */
function rowAndColumnNumbers(
  rows: ReturnType<typeof readHtmlRows>['rows'],
  trimmedRows: string[][],
): Pick<Sheet, 'rowNumbers' | 'columnNumbers'> {
  const rowNumbers = rows.map(({ number }) => number);
  const [hiddenColumns = [], ...otherTables] = rows.flatMap((row) => (row.hiddenColumns ? [row.hiddenColumns] : []));
  const isUniform = otherTables.every((columns) => columns.join() === hiddenColumns.join());
  const columnCount = Math.max(0, ...trimmedRows.map((row) => row.length));
  const columnNumbers = isUniform
    ? numbersOfVisibleRowsOrColumns(columnCount, (column) => hiddenColumns.includes(column))
    : undefined;
  return {
    ...((rowNumbers.at(-1) ?? 0) !== rowNumbers.length && { rowNumbers }),
    ...(columnNumbers && { columnNumbers }),
  };
}

type Worksheet = { name: string; html: string };

function findWorksheets(pages: WebPage['pages']): Worksheet[] {
  const listedSheets = parseListedSheets(pages[0]?.html ?? '');
  const sheets = listedSheets.flatMap(({ name, file, isHidden }) => {
    const page = file && pages.find(({ location }) => location.endsWith(file));
    return page ? [{ name, html: page.html, isHidden: isHidden || isHiddenSheet(page.html) }] : [];
  });
  if (sheets.length > 0) return visibleSheets(sheets);
  const names = listedSheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  return visibleSheets(
    pages.map(({ html }, index) => ({
      name: names[index] || (pages.length > 1 ? `表格 ${index + 1}` : '表格'),
      html,
      isHidden: pages.length > 1 && isHiddenSheet(html),
    })),
  );
}

function visibleSheets(sheets: (Worksheet & { isHidden: boolean })[]): Worksheet[] {
  const remainingSheets = sheets.filter(({ isHidden }) => !isHidden);
  if (remainingSheets.length === 0) throw new RejectedFileError('hiddenSheets');
  return remainingSheets.slice(0, MAX_SHEETS);
}

const LISTED_SHEET = /<x:ExcelWorksheet>([\s\S]*?)<\/x:ExcelWorksheet>/gi;
const isHiddenSheet = (xml: string) => /<x:Visible>\s*Sheet(?:Very)?Hidden/i.test(xml.replace(LISTED_SHEET, ''));

/** Sheets that Excel lists in the head of the page. */
const parseListedSheets = (html: string) =>
  [...html.matchAll(LISTED_SHEET)].map(([, xml = '']) => ({
    name: cleanCellText(/<x:Name>([^<]*)/i.exec(xml)?.[1] ?? '').slice(0, 100),
    file: /<x:WorksheetSource\s+HRef="(?:[^"]*\/)?([^"/]+)"/i.exec(xml)?.[1] ?? '',
    isHidden: isHiddenSheet(xml),
  }));
