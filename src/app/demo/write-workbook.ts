import { type BookType, utils, write } from '@e965/xlsx';
import { displayWidth } from '#modules/text/wide-characters.contract.ts';
import type { DemoSheet } from './demo-document.ts';

const MIN_COLUMN_WIDTH = 8;

/** Writes sheets in any spreadsheet format that SheetJS knows; delimited text contains the first sheet only. */
export function writeWorkbook(sheets: DemoSheet[], bookType: BookType, separator = ','): Buffer {
  const workbook = utils.book_new();
  for (const { name, rows } of sheets) {
    const sheet = utils.aoa_to_sheet(rows);
    const columns = Math.max(...rows.map((row) => row.length));
    sheet['!cols'] = Array.from({ length: columns }, (_, column) => ({
      wch: Math.max(MIN_COLUMN_WIDTH, ...rows.map((row) => displayWidth(String(row[column] ?? '')) + 2)),
    }));
    utils.book_append_sheet(workbook, sheet, name);
  }
  return write(workbook, { type: 'buffer', bookType, compression: true, FS: separator, RS: '\r\n' });
}
