import { openZip } from '../flow/zip-reader.ts';
import type { WorkbookFormat } from './sheet.ts';
import { listSheetParts } from './workbook-parts.ts';
import { BEGIN_RECORD, BOUND_SHEET_RECORD, END_RECORD, readRecords, readXlsStream } from './xls-records.ts';
import { readXlsbRecords, SHEET_FORMAT_RECORD } from './xlsb-records.ts';

/** Zero sizes of a sheet, which the library does not report. */
export type ZeroSizes = {
  rows: ReadonlySet<number>;
  /** Whether columns without an explicit width have width 0. */
  isDefaultColumnWidthZero: boolean;
};

export const MAX_SHEET_BYTES = 200 * 1024 * 1024;
const COMPOUND_FILE_SIGNATURE = 0xd0cf11e0;
const ROW_RECORD = 0x208;
const CUSTOM_HEIGHT_FLAG = 0x40;
const ZERO_COLUMN_WIDTH = /sheetFormatPr\s[^>]*\bdefaultColWidth\s*=\s*["']0(?:\.0+)?["']/;

/** Indexed by the position of the sheet in the file. */
export async function readZeroRowAndColumnSizes(
  file: string,
  format: WorkbookFormat,
  bytes: Buffer,
): Promise<ZeroSizes[]> {
  if (format === 'xlsx' || format === 'xlsb') return zippedZeroSizes(file, format);
  const isCompound = bytes.length > 4 && bytes.readUInt32BE(0) === COMPOUND_FILE_SIGNATURE;
  return format === 'xls' && isCompound ? xlsZeroSizes(readXlsStream(bytes)) : [];
}

async function zippedZeroSizes(file: string, format: 'xlsx' | 'xlsb'): Promise<ZeroSizes[]> {
  const zip = await openZip(file);
  try {
    const sizes: ZeroSizes[] = [];
    for (const { part } of await listSheetParts(zip)) {
      const sheet = (part && (await zip.read(part, MAX_SHEET_BYTES))) || Buffer.alloc(0);
      const isDefaultColumnWidthZero = format === 'xlsx' ? hasZeroWidthXml(sheet) : hasZeroWidthRecord(sheet);
      sizes.push({ rows: new Set(), isDefaultColumnWidthZero });
    }
    return sizes;
  } finally {
    zip.close();
  }
}

export const hasZeroWidthXml = (sheet: Buffer) =>
  ZERO_COLUMN_WIDTH.test(sheet.subarray(0, Math.max(0, sheet.indexOf('sheetData'))).toString('utf8'));

/** Without a default width in 256ths of a character, the record holds it in characters. */
const UNDEFINED_WIDTH = 0xffffffff;

export function hasZeroWidthRecord(sheet: Buffer): boolean {
  for (const { type, body } of readXlsbRecords(sheet)) {
    if (type !== SHEET_FORMAT_RECORD || body.length < 6) continue;
    const width = body.readUInt32LE(0);
    return width === UNDEFINED_WIDTH ? body.readUInt16LE(4) === 0 : width === 0;
  }
  return false;
}

function xlsZeroSizes(book: Buffer): ZeroSizes[] {
  const starts: number[] = [];
  for (const { type, body } of readRecords(book, 0)) {
    if (type === END_RECORD) break;
    if (type === BOUND_SHEET_RECORD && body.length >= 4) starts.push(body.readUInt32LE(0));
  }
  // The library lists the sheets of an xls file in this order.
  return starts
    .sort((a, b) => a - b)
    .map((start) => ({ rows: rowsWithoutHeight(book, start), isDefaultColumnWidthZero: false }));
}

function rowsWithoutHeight(book: Buffer, start: number): Set<number> {
  const rows = new Set<number>();
  let depth = 0;
  for (const { type, body } of readRecords(book, start)) {
    if (type === BEGIN_RECORD) depth++;
    else if (type === END_RECORD && --depth === 0) break;
    else if (type === ROW_RECORD && body.length >= 16) {
      const isCustom = (body.readUInt8(12) & CUSTOM_HEIGHT_FLAG) !== 0;
      if (isCustom && body.readUInt16LE(6) === 0) rows.add(body.readUInt16LE(0));
    }
  }
  return rows;
}
