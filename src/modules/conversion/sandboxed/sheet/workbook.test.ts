import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { afterAll, expect, test } from 'vitest';
import { renditionMeta } from '../../rendition-meta.ts';
import { convertToSheets } from './convert-to-sheets.ts';
import { MAX_ROWS_WITHOUT_STREAMING as MAX_ROWS } from './limits.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'workbook-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a workbook; `sheets` maps sheet names to row counts. */
function writeWorkbook(name: string, sheets: Record<string, number>): string {
  const book = XLSX.utils.book_new();
  for (const [title, rows] of Object.entries(sheets)) {
    const cells = Array.from({ length: rows }, (_, at) => [`第 ${at + 1} 行`, at + 1]);
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells), title);
  }
  const file = path.join(folder, name);
  writeFileSync(file, XLSX.write(book, { type: 'buffer', bookType: 'xls' }));
  return file;
}

test('a sheet beyond the row limit is cut, and the metadata contains its total number of rows', async () => {
  const total = MAX_ROWS + 7;
  const file = writeWorkbook('long.xls', { 明细: total, 汇总: 2, 刚好: MAX_ROWS });
  await convertToSheets({ file, folder, format: 'xls' }, () => {});
  const meta = renditionMeta.parse(JSON.parse(readFileSync(path.join(folder, 'meta.json'), 'utf8')));
  expect(meta.sheets.map(({ name, rows, cut }) => ({ name, rows, cut }))).toEqual([
    { name: '明细', rows: total, cut: true },
    { name: '汇总', rows: 2, cut: false },
    { name: '刚好', rows: MAX_ROWS, cut: false },
  ]);
  const rows = readdirSync(path.join(folder, 'f')).flatMap(
    (page) => JSON.parse(readFileSync(path.join(folder, 'f', page), 'utf8')).rows as string[][],
  );
  expect(rows).toHaveLength(MAX_ROWS + 2 + MAX_ROWS);
  expect(rows[MAX_ROWS - 1]).toEqual([`第 ${MAX_ROWS} 行`, String(MAX_ROWS)]);
  const text = readFileSync(path.join(folder, 'text.txt'), 'utf8');
  expect(text).not.toContain(`第 ${MAX_ROWS + 1} 行`);
});
