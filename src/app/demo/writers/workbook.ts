import { type BookType, utils, write } from '@e965/xlsx';
import type { DemoSheet } from '../demo-document.ts';

/** Tables as a workbook of any of the usual kinds. */
export function writeWorkbook(sheets: DemoSheet[], bookType: BookType): Buffer {
  const book = utils.book_new();
  for (const { name, rows, widths = [] } of sheets) {
    const sheet = utils.aoa_to_sheet(rows);
    sheet['!cols'] = widths.map((wch) => ({ wch }));
    utils.book_append_sheet(book, sheet, name);
  }
  return write(book, { type: 'buffer', bookType, compression: true });
}

/** Rows as text, cells between `separator`; quoted where they need it. */
export const writeDelimited = ([sheet]: DemoSheet[], separator: ',' | '\t'): Buffer =>
  Buffer.from((sheet?.rows ?? []).map((row) => row.map((cell) => quoted(String(cell))).join(separator)).join('\r\n'));

const quoted = (cell: string) => (/[",\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
