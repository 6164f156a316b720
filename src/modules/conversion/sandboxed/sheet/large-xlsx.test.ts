import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { afterAll, describe, expect, test } from 'vitest';
import { makeStyledWorkbook, styledCell } from '../../styled-workbook.fixture.ts';
import { makeWorkbook, rewriteSheet } from '../../workbook.fixture.ts';
import { NO_PICTURES } from '../sheet-pictures/picture-list.ts';
import { arrangeSheet } from './arrange-sheet.ts';
import { openLargeXlsx } from './large-xlsx.ts';
import type { OpenWorkbook } from './open-workbook.ts';
import { openParsedWorkbook } from './parsed-workbook.ts';
import { createRowBudget } from './row-budget.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'large-xlsx-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function readSheets(book: OpenWorkbook) {
  const budget = createRowBudget();
  const sheets = [];
  for (const name of book.names) {
    const cells = await book.readSheet(name, budget);
    sheets.push(cells && arrangeSheet(name, cells, NO_PICTURES));
  }
  book.close();
  return { sheets, hiddenNames: book.hiddenNames };
}

/** Reads a workbook in pieces of a few rows, and whole. */
async function readTwice(bytes: Buffer) {
  const file = path.join(folder, 'book.xlsx');
  writeFileSync(file, bytes);
  return {
    inPieces: await readSheets(await openLargeXlsx(file, 300)),
    whole: await readSheets(await openParsedWorkbook(file, 'xlsx')),
  };
}

const ROWS = Array.from({ length: 60 }, (_, row) => [`第 ${row % 7} 类 <&>`, row + 0.5, row % 2 === 0]);

/** A workbook of two sheets with shared strings, as Excel writes them. */
function makeBookWithSharedStrings(): Buffer {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(ROWS), '明细');
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['另一张', 1]]), '汇总');
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: true });
}

describe('an xlsx file that is read in pieces', () => {
  test('has the same sheets with shared strings as one that is read whole', async () => {
    const { inPieces, whole } = await readTwice(makeBookWithSharedStrings());
    expect(inPieces).toEqual(whole);
    expect(inPieces.sheets[0]?.rows[8]).toEqual(['第 1 类 <&>', '8.5', 'TRUE']);
    expect(inPieces.sheets[1]?.rows).toEqual([['另一张', '1']]);
  });

  test('leaves out the same hidden rows, columns and sheets, and has the same merged cells', async () => {
    const texts = Array.from({ length: 40 }, (_, row) => [`甲${row}`, '密', `丙${row}`]);
    const book = makeWorkbook('xlsx', [
      { name: '表', rows: texts, hiddenRows: [0, 17, 18], hiddenColumns: [1], merges: ['A1:A3', 'B20:C21'] },
      { name: '隐藏', rows: [['密']], hidden: 2 },
    ]);
    const { inPieces, whole } = await readTwice(book);
    expect(inPieces).toEqual(whole);
    expect(inPieces.hiddenNames).toEqual(new Set(['隐藏']));
    expect(inPieces.sheets[0]?.rowNumbers?.slice(0, 3)).toEqual([2, 3, 4]);
    expect(inPieces.sheets[0]?.rows[0]).toEqual(['甲0', '丙1']);
  });

  test('has the same styles of cells, rows and columns', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => {
      const cells = `${styledCell(`A${at + 1}`, at % 3, '字')}${styledCell(`C${at + 1}`, 2, at)}`;
      return `<row r="${at + 1}" ${at % 5 === 0 ? 's="1" customFormat="1"' : ''}>${cells}</row>`;
    });
    const book = makeStyledWorkbook({
      fonts: '<font/><font><b/></font><font><i/></font>',
      xfs: '<xf/><xf fontId="1"/><xf fontId="2"/>',
      sheets: [`<cols><col min="2" max="2" style="2"/></cols><sheetData>${rows.join('')}</sheetData>`],
    });
    const { inPieces, whole } = await readTwice(book);
    expect(inPieces).toEqual(whole);
    expect(inPieces.sheets[0]?.styles?.[5]).toEqual([
      { italic: true },
      { bold: true },
      { italic: true, align: 'right' },
    ]);
  });

  test('keeps the order of rows that have no numbers, and of prefixed elements', async () => {
    const book = makeWorkbook('xlsx', [{ name: '表', rows: Array.from({ length: 40 }, (_, row) => [`行${row}`]) }]);
    const withoutNumbers = rewriteSheet(book, (xml) => xml.replace(/(<row|<c) r="[A-Z\d]+"/g, '$1'));
    const prefixedBook = rewriteSheet(book, (xml) =>
      xml.replace(/<(\/?)(worksheet|sheetData|row|c|v|is|t)\b/g, '<$1x:$2').replace('xmlns=', 'xmlns:x='),
    );
    for (const bytes of [withoutNumbers, prefixedBook]) {
      const { inPieces, whole } = await readTwice(bytes);
      expect(inPieces.sheets[0]?.rows).toHaveLength(40);
      expect(inPieces).toEqual(whole);
    }
  });
});
