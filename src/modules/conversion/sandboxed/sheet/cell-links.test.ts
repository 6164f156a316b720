import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { afterAll, expect, test } from 'vitest';
import { section } from '../../section.ts';
import { convertToSheets } from './convert-to-sheets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cell-links-'));
afterAll(() => rmSync(folder, { recursive: true }));

const targets = [
  'https://example.org/?a=1&b=2',
  'mailto:somebody@example.org',
  "#'第 2 张'!B3",
  '#A2',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '#没有!A1',
  'other.xlsx',
];

function makeLinkedBook(bookType: 'xlsx' | 'xls' | 'ods'): Buffer {
  const sheet = XLSX.utils.aoa_to_sheet([targets.map((_, at) => `链接${at}`), ['下一行']]);
  for (const [column, Target] of targets.entries()) {
    const cell = sheet[XLSX.utils.encode_cell({ r: 0, c: column })];
    cell.l = { Target };
  }
  const second = XLSX.utils.aoa_to_sheet([['一'], ['隐藏'], ['三', '目标']]);
  second['!rows'] = [{}, { hidden: true }];
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, sheet, '第 1 张');
  XLSX.utils.book_append_sheet(book, second, '第 2 张');
  return XLSX.write(book, { type: 'buffer', bookType });
}

test.each(['xlsx'] as const)(
  'the links of an %s file lead to web pages, mail addresses and visible cells only',
  async (format) => {
    const file = path.join(folder, `book.${format}`);
    writeFileSync(file, makeLinkedBook(format));
    await convertToSheets({ file, folder, format }, () => {});
    const first = section.parse(JSON.parse(readFileSync(path.join(folder, 'f/00001.json'), 'utf8')));
    expect(first.links).toEqual([
      [0, 0, 'https://example.org/?a=1&b=2'],
      [0, 1, 'mailto:somebody@example.org'],
    ]);
    // The second row of the second sheet is hidden.
    expect(first.cell_links).toEqual([
      [0, 2, 1, 1, 1],
      [0, 3, 0, 1, 0],
    ]);
  },
);

test('a section with a link to a script is rejected', () => {
  expect(section.safeParse({ links: [[0, 0, 'javascript:alert(1)']] }).success).toBe(false);
  expect(section.safeParse({ cell_links: [[0, 0, 1, -1, 0]] }).success).toBe(false);
});
