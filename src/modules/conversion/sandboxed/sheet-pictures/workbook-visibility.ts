import type { Zip } from '../flow/zip-reader.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import type { SheetVisibility } from '../sheet/cell-visibility.ts';
import type { SheetPart } from '../sheet/workbook-parts.ts';
import { COLUMN_RECORD, ROW_RECORD, readXlsbRecords } from '../sheet/xlsb-records.ts';
import { hasZeroWidthRecord, MAX_SHEET_BYTES } from '../sheet/zero-row-and-column-sizes.ts';
import { readSheetGeometry, type SheetGeometry } from './sheet-geometry.ts';

/** Hidden rows and columns of the sheets of an xlsx or xlsb file. */
export type WorkbookVisibility = {
  /** Null for a sheet that the workbook does not have. */
  visibilityOf(sheet: string): Promise<SheetVisibility | null>;
  /** Whether any sheet has hidden rows or columns. */
  hasHiddenCells(): Promise<boolean>;
};

/** Reads each sheet when it is needed first, and only once, because it may be large. */
export function createVisibilityReader(zip: Zip, sheets: SheetPart[]) {
  const geometries = new Map<string, Promise<SheetGeometry>>();
  const visibilities = new Map<string, Promise<SheetVisibility>>();
  const geometryOf = (part: string) => readOnce(geometries, part, () => readSheetGeometry(zip, part));
  const visibilityOfPart = (part: string) =>
    readOnce(visibilities, part, async () => {
      try {
        return part.endsWith('.bin') ? await readXlsbVisibility(zip, part) : visibilityFrom(await geometryOf(part));
      } catch (error) {
        // Too large or damaged. The chart is shown without the cells of this sheet.
        if (error instanceof RejectedFileError) return NOTHING_VISIBLE;
        throw error;
      }
    });
  const visibility: WorkbookVisibility = {
    async visibilityOf(sheet) {
      const part = sheets.find(({ name }) => name.toLowerCase() === sheet.toLowerCase())?.part;
      return part === undefined ? null : visibilityOfPart(part);
    },
    async hasHiddenCells() {
      for (const { part } of sheets)
        if (part !== undefined && (await visibilityOfPart(part)).hasHiddenCells) return true;
      return false;
    },
  };
  return { geometryOf, visibility };
}

function readOnce<Value>(values: Map<string, Promise<Value>>, key: string, read: () => Promise<Value>): Promise<Value> {
  const value = values.get(key) ?? read();
  values.set(key, value);
  return value;
}

const NOTHING_VISIBLE: SheetVisibility = {
  isRowHidden: () => true,
  isColumnHidden: () => true,
  hasHiddenCells: true,
};

const visibilityFrom = ({ rowHeight, columnWidth, hasHiddenCells }: SheetGeometry): SheetVisibility => ({
  isRowHidden: (row) => rowHeight(row) === 0,
  isColumnHidden: (column) => columnWidth(column) === 0,
  hasHiddenCells,
});

/** Flags in the records of rows and columns ([MS-XLSB] 2.4.741 and 2.4.323). */
const [HIDDEN_ROW, HIDDEN_COLUMN] = [0x10, 0x01];

async function readXlsbVisibility(zip: Zip, part: string): Promise<SheetVisibility> {
  const sheet = (await zip.read(part, MAX_SHEET_BYTES)) ?? Buffer.alloc(0);
  const hiddenRows = new Set<number>();
  const columns: { first: number; last: number; isHidden: boolean }[] = [];
  for (const { type, body } of readXlsbRecords(sheet)) {
    if (type === ROW_RECORD && body.length >= 12) {
      const isHidden = (body.readUInt8(11) & HIDDEN_ROW) !== 0 || body.readUInt16LE(8) === 0;
      if (isHidden) hiddenRows.add(body.readUInt32LE(0));
    } else if (type === COLUMN_RECORD && body.length >= 18) {
      const isHidden = (body.readUInt8(16) & HIDDEN_COLUMN) !== 0 || body.readUInt32LE(8) === 0;
      columns.push({ first: body.readUInt32LE(0), last: body.readUInt32LE(4), isHidden });
    }
  }
  const isDefaultColumnHidden = hasZeroWidthRecord(sheet);
  return {
    isRowHidden: (row) => hiddenRows.has(row),
    isColumnHidden: (column) =>
      columns.find(({ first, last }) => column >= first && column <= last)?.isHidden ?? isDefaultColumnHidden,
    hasHiddenCells: hiddenRows.size > 0 || isDefaultColumnHidden || columns.some(({ isHidden }) => isHidden),
  };
}
