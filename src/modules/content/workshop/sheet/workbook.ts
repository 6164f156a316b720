import { readFileSync } from 'node:fs';
import XLSX from '@e965/xlsx';
import { RefusedError } from '../refusals.ts';
import { cellText, MAX_COLUMNS, MAX_ROWS, MAX_SHEETS, trimRows } from './limits.ts';
import type { Sheet } from './sheet.ts';

const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** Reads a workbook as what it shows. Formulas are neither kept nor computed, links not followed. */
export function readWorkbook(file: string): Sheet[] {
  const bytes = readFileSync(file);
  if (bytes.length > MAX_FILE_BYTES) throw new RefusedError('tooLarge');
  const workbook = parse(bytes);
  return workbook.SheetNames.slice(0, MAX_SHEETS).flatMap((name) => {
    const sheet = workbook.Sheets[name];
    return sheet && sheet['!type'] !== 'chart' ? [readSheet(name, sheet)] : [];
  });
}

function parse(bytes: Buffer): XLSX.WorkBook {
  try {
    return XLSX.read(bytes, {
      type: 'buffer',
      dense: true,
      sheetRows: MAX_ROWS,
      cellFormula: false,
      cellHTML: false,
      cellStyles: true,
      bookVBA: false,
      WTF: false,
    });
  } catch (error) {
    const message = String(error);
    throw new RefusedError(/password|encrypt/i.test(message) ? 'encrypted' : 'damaged', message);
  }
}

function readSheet(name: string, sheet: XLSX.WorkSheet): Sheet {
  const cells = (sheet['!data'] ?? []) as (XLSX.CellObject | undefined)[][];
  const rows = Array.from(cells.slice(0, MAX_ROWS), (row) =>
    Array.from((row ?? []).slice(0, MAX_COLUMNS), (cell) => shownText(cell)),
  );
  const kept = trimRows(rows);
  // What the file says of its size, where it was cut while reading.
  const full = sheet['!fullref'] ?? sheet['!ref'];
  const total = full ? XLSX.utils.decode_range(full).e.r + 1 : kept.length;
  const widths = (sheet['!cols'] ?? [])
    .slice(0, MAX_COLUMNS)
    .map((column) => Math.round(column?.wch ?? 0));
  return {
    name: cellText(name).slice(0, 100),
    rows: kept,
    total: total > MAX_ROWS ? total : kept.length,
    widths,
  };
}

const shownText = (cell: XLSX.CellObject | undefined): string => {
  if (!cell) return '';
  if (cell.w !== undefined) return cellText(cell.w);
  if (cell.v === undefined || cell.v === null) return '';
  return cellText(cell.v instanceof Date ? cell.v.toISOString() : String(cell.v));
};
