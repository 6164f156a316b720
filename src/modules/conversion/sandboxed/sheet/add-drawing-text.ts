import { readOdsDrawings } from './ods-drawings.ts';
import type { Drawings, Sheet, WorkbookFormat } from './sheet.ts';
import { readXlsDrawings } from './xls-drawings.ts';
import { readXlsxDrawings } from './xlsx-drawings.ts';

const ONLY_DRAWINGS = '此工作表只有图片或图表，请下载原文件查看';
const MORE_IN_DRAWINGS = '以上为图中文字，图片和图表请下载原文件';

const isBlank = ({ rows }: Sheet) => rows.every(({ length }) => length === 0);

/** Adds the text of drawings to sheets without cells, below pictures, or with a notice where none is shown. */
export async function addDrawingText(file: string, format: WorkbookFormat, sheets: Sheet[]): Promise<Sheet[]> {
  const blankSheets = sheets.filter(isBlank);
  if (blankSheets.length === 0) return sheets;
  const drawings = await readDrawings(file, format, new Set(blankSheets.map(({ name }) => name)));
  return sheets.map((sheet) => {
    const rows = isBlank(sheet) ? drawings.get(sheet.name) : undefined;
    if (!rows) return sheet;
    if (sheet.pictures) return withRowsBelow(sheet, rows);
    const notice = rows.length > 0 ? MORE_IN_DRAWINGS : ONLY_DRAWINGS;
    return { name: sheet.name, widths: sheet.widths, rows, total: rows.length, notice };
  });
}

function withRowsBelow(sheet: Sheet, textRows: string[][]): Sheet {
  const rows = [...sheet.rows, ...textRows];
  return { ...sheet, rows, total: rows.length };
}

async function readDrawings(file: string, format: WorkbookFormat, names: ReadonlySet<string>): Promise<Drawings> {
  if (format === 'xlsx' || format === 'xlsb') return readXlsxDrawings(file, names);
  if (format === 'ods') return readOdsDrawings(file);
  return format === 'xls' ? readXlsDrawings(file) : new Map();
}
