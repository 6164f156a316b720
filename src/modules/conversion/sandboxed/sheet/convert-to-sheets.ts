import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { emptyMeta } from '../../empty-meta.ts';
import { pageName } from '../../page-name.ts';
import type { RenditionMeta } from '../../rendition-meta.ts';
import type { ConverterEvent } from '../events.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { readDelimited } from './delimited.ts';
import { readHtmlSheets } from './html-sheets.ts';
import type { Sheet, WorkbookFormat } from './sheet.ts';
import { sheetCover } from './sheet-cover.ts';
import { readWorkbook } from './workbook.ts';

export type SheetOptions = {
  file: string;
  folder: string;
  format: 'csv' | 'tsv' | 'htmltable' | WorkbookFormat;
};

/** So many rows count as one page. */
const PAGE_ROWS = 100;

/** Turns a workbook into pages of rows: text only, nothing is computed. */
export async function convertToSheets({ file, folder, format }: SheetOptions, say: (event: ConverterEvent) => void) {
  const all = await readSheets(file, format);
  const filled = all.filter(({ rows, notice }) => rows.length > 0 || notice);
  // A workbook with nothing in it is still one that can be looked at.
  const sheets = filled.length > 0 ? filled : all.slice(0, 1);
  if (sheets.length === 0) throw new RejectedFileError('empty');
  const meta: RenditionMeta = emptyMeta();
  const pages = sheets.flatMap((sheet) =>
    Array.from({ length: piecesOf(sheet) }, (_, piece) => ({
      rows: viewRows(sheet).slice(piece * PAGE_ROWS, (piece + 1) * PAGE_ROWS),
      textRows: sheet.rows.slice(piece * PAGE_ROWS, (piece + 1) * PAGE_ROWS),
    })),
  );
  let first = 1;
  for (const sheet of sheets) {
    const { name, rows, total, notice } = sheet;
    const columns = Math.max(0, ...viewRows(sheet).map((row) => row.length));
    const viewTotal = notice ? total + 1 : total;
    meta.sheets.push({ name, page: first, rows: viewTotal, cut: total > rows.length, columns });
    meta.outline.push({ depth: 0, title: name, page: first });
    first += piecesOf(sheet);
  }
  writeFileSync(`${folder}/meta.json`, JSON.stringify(meta));
  say({ type: 'opened', pages: pages.length, width: 0, height: 0 });
  mkdirSync(`${folder}/f`, { recursive: true });
  writeFileSync(`${folder}/text.txt`, '');
  pages.forEach(({ rows, textRows }, index) => {
    const number = index + 1;
    writeFileSync(`${folder}/f/${pageName(number)}.json`, JSON.stringify({ rows }));
    const text = textRows.map((row) => row.join('\t').trimEnd()).join('\n');
    appendFileSync(`${folder}/text.txt`, number === 1 ? text : `\f${text}`);
    say({ type: 'page', page: number });
  });
  say({ type: 'text' });
  if (sheets[0]) await sheetCover(folder, { ...sheets[0], rows: viewRows(sheets[0]) });
  say({ type: 'cover' });
}

async function readSheets(file: string, format: SheetOptions['format']): Promise<Sheet[]> {
  if (format === 'csv' || format === 'tsv') return [readDelimited(file)];
  return format === 'htmltable' ? readHtmlSheets(file) : readWorkbook(file, format);
}

const viewRows = ({ rows, notice }: Sheet) => (notice ? [...rows, [notice]] : rows);

const piecesOf = (sheet: Sheet) => Math.max(1, Math.ceil(viewRows(sheet).length / PAGE_ROWS));
