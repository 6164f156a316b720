import { RefusedError } from '../refusals.ts';
import { openWebPage, type WebPage } from '../web-page/web-page.ts';
import { readHtmlRows } from './html-rows.ts';
import { cellText, MAX_ROWS, MAX_SHEETS, trimRows } from './limits.ts';
import type { Sheet } from './sheet.ts';

/**
 * A web page that was saved as a workbook. As in Excel, a page is one sheet with its tables one below
 * the other; an archive has a page for each sheet of the workbook that it was saved from.
 */
export function readHtmlSheets(file: string): Sheet[] {
  const { pages } = openWebPage(file);
  const sheets = worksheetsOf(pages).map(({ name, html }) => {
    const { rows, total } = readHtmlRows(html);
    const trimmedRows = trimRows(rows);
    return {
      name,
      rows: trimmedRows,
      total: total > MAX_ROWS ? total : trimmedRows.length,
      widths: [],
    };
  });
  if (sheets.every(({ rows }) => rows.length === 0)) throw new RefusedError('empty');
  return sheets;
}

type Worksheet = { name: string; html: string };

function worksheetsOf(pages: WebPage['pages']): Worksheet[] {
  const listed = listedWorksheets(pages[0]?.html ?? '');
  const sheets = listed.flatMap(({ name, file }) => {
    const page = file && pages.find(({ location }) => location.endsWith(file));
    return page ? [{ name, html: page.html }] : [];
  });
  if (sheets.length > 0) return sheets.slice(0, MAX_SHEETS);
  return pages.slice(0, MAX_SHEETS).map(({ html }, index) => ({
    name: listed[index]?.name || (pages.length > 1 ? `表格 ${index + 1}` : '表格'),
    html,
  }));
}

/** The sheets that Excel names in the head of the page, without those that are hidden. */
const listedWorksheets = (html: string) =>
  [...html.matchAll(/<x:ExcelWorksheet>([\s\S]*?)<\/x:ExcelWorksheet>/gi)]
    .map(([, xml = '']) => ({
      name: cellText(/<x:Name>([^<]*)/i.exec(xml)?.[1] ?? '').slice(0, 100),
      file: /<x:WorksheetSource\s+HRef="(?:[^"]*\/)?([^"/]+)"/i.exec(xml)?.[1] ?? '',
      isHidden: /<x:Visible>\s*Sheet(?:Very)?Hidden/i.test(xml),
    }))
    .filter(({ isHidden }) => !isHidden);
