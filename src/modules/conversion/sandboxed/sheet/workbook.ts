import { RejectedFileError } from '../rejection-reasons.ts';
import { NO_PICTURES, type PictureList } from '../sheet-pictures/picture-list.ts';
import { addDrawingText } from './add-drawing-text.ts';
import { arrangeSheet } from './arrange-sheet.ts';
import { isLargeXlsx, openLargeXlsx } from './large-xlsx.ts';
import { MAX_SHEETS } from './limits.ts';
import type { OpenWorkbook } from './open-workbook.ts';
import { openParsedWorkbook } from './parsed-workbook.ts';
import { createRowBudget } from './row-budget.ts';
import type { Sheet, WorkbookFormat } from './sheet.ts';

/**
 * Reads the visible cells of a workbook: sheets, rows and columns that the author has hidden are left out. Formulas are
 * not computed and links are not followed.
 */
export async function readWorkbook(
  file: string,
  format: WorkbookFormat,
  pictures: PictureList = NO_PICTURES,
): Promise<Sheet[]> {
  const isLarge = format === 'xlsx' && (await isLargeXlsx(file));
  const book = isLarge ? await openLargeXlsx(file) : await openParsedWorkbook(file, format);
  try {
    return await addDrawingText(file, format, await readVisibleSheets(book, pictures));
  } finally {
    book.close();
  }
}

async function readVisibleSheets(book: OpenWorkbook, pictures: PictureList): Promise<Sheet[]> {
  const visibleNames = book.names.filter((name) => !book.hiddenNames.has(name));
  if (visibleNames.length === 0 && book.names.length > 0) throw new RejectedFileError('hiddenSheets');
  const budget = createRowBudget();
  const sheets: Sheet[] = [];
  for (const name of visibleNames.slice(0, MAX_SHEETS)) {
    const cells = await book.readSheet(name, budget);
    if (cells) sheets.push(arrangeSheet(name, cells, pictures));
  }
  return sheets;
}
