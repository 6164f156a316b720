import { openZip } from '../flow/zip-reader.ts';
import type { WorkbookFormat } from './sheet.ts';
import { BEGIN, BOUND_SHEET, END, readXlsStream, records } from './xls-records.ts';
import { sheetParts } from './xlsx-drawings.ts';

/** Sizes of 0 in a sheet that the library does not report. */
export type ZeroSizes = {
  rows: ReadonlySet<number>;
  /** Whether columns without a width of their own are 0 wide. */
  isDefaultColumn: boolean;
};

const MAX_SHEET_BYTES = 200 * 1024 * 1024;
const COMPOUND_FILE = 0xd0cf11e0;
const ROW = 0x208;
const CUSTOM_HEIGHT = 0x40;
const ZERO_COLUMN_WIDTH = /sheetFormatPr\s[^>]*\bdefaultColWidth\s*=\s*["']0(?:\.0+)?["']/;

/** By the place of the sheet in the file. */
export async function readZeroSizes(file: string, format: WorkbookFormat, bytes: Buffer): Promise<ZeroSizes[]> {
  if (format === 'xlsx') return xlsxZeroSizes(file);
  const isCompound = bytes.length > 4 && bytes.readUInt32BE(0) === COMPOUND_FILE;
  return format === 'xls' && isCompound ? xlsZeroSizes(readXlsStream(bytes)) : [];
}

async function xlsxZeroSizes(file: string): Promise<ZeroSizes[]> {
  const zip = await openZip(file);
  try {
    const sizes: ZeroSizes[] = [];
    for (const { part } of await sheetParts(zip)) {
      const xml = part ? await zip.read(part, MAX_SHEET_BYTES) : null;
      const head = xml?.subarray(0, Math.max(0, xml.indexOf('sheetData'))).toString('utf8') ?? '';
      sizes.push({ rows: new Set(), isDefaultColumn: ZERO_COLUMN_WIDTH.test(head) });
    }
    return sizes;
  } finally {
    zip.close();
  }
}

function xlsZeroSizes(book: Buffer): ZeroSizes[] {
  const starts: number[] = [];
  for (const { type, body } of records(book, 0)) {
    if (type === END) break;
    if (type === BOUND_SHEET && body.length >= 4) starts.push(body.readUInt32LE(0));
  }
  // The library lists the sheets of an xls file in this order.
  return starts
    .sort((a, b) => a - b)
    .map((start) => ({ rows: rowsWithoutHeight(book, start), isDefaultColumn: false }));
}

function rowsWithoutHeight(book: Buffer, start: number): Set<number> {
  const rows = new Set<number>();
  let depth = 0;
  for (const { type, body } of records(book, start)) {
    if (type === BEGIN) depth++;
    else if (type === END && --depth === 0) break;
    else if (type === ROW && body.length >= 16) {
      const isCustom = (body.readUInt8(12) & CUSTOM_HEIGHT) !== 0;
      if (isCustom && body.readUInt16LE(6) === 0) rows.add(body.readUInt16LE(0));
    }
  }
  return rows;
}
