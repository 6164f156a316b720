import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { emptyMeta } from '../../empty-meta.ts';
import { pageName } from '../../page-name.ts';
import { MAX_WIDTH_CHARACTERS, type RenditionMeta } from '../../rendition-meta.ts';
import type { Section } from '../../section.ts';
import { MAX_MERGED_CELLS_PER_SECTION, MAX_PICTURES_PER_SECTION } from '../../validated-cell-styles.ts';
import type { ConverterEvent } from '../events.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { PICTURE_FOLDER, type PictureList, readPictureList } from '../sheet-pictures/picture-list.ts';
import { countColumns } from './arrange-sheet.ts';
import { readDelimited } from './delimited-text.ts';
import { encodeStyles } from './encode-styles.ts';
import { readHtmlSheets } from './html-sheets.ts';
import type { CellTarget, MergedCell, Sheet, SheetLink, VisiblePicture, WorkbookFormat } from './sheet.ts';
import { writeSheetCover } from './sheet-cover.ts';
import { readWorkbook } from './workbook.ts';

export type SheetOptions = {
  file: string;
  folder: string;
  format: 'csv' | 'tsv' | 'htmltable' | WorkbookFormat;
};

const ROWS_PER_PAGE = 100;

/** Converts a workbook into pages of rows: text only, formulas are not computed. */
export async function convertToSheets({ file, folder, format }: SheetOptions, emit: (event: ConverterEvent) => void) {
  const allSheets = await readSheets(file, format, readPictureList(folder));
  const filledSheets = allSheets.filter(({ rows, notice }) => rows.length > 0 || notice);
  // An empty workbook still has one sheet to show.
  const sheets = filledSheets.length > 0 ? filledSheets : allSheets.slice(0, 1);
  if (sheets.length === 0) throw new RejectedFileError('empty');
  const meta: RenditionMeta = emptyMeta();
  let firstPage = 1;
  for (const sheet of sheets) {
    const { name, rows, total, notice, columnNumbers, widths, frozen } = sheet;
    const columns = countColumns({ ...sheet, rows: rowsWithNotice(sheet) });
    const viewTotal = notice ? total + 1 : total;
    meta.sheets.push({
      name,
      page: firstPage,
      rows: viewTotal,
      cut: total > rows.length,
      columns,
      ...(columnNumbers && { column_numbers: columnNumbers }),
      ...(frozen && { frozen }),
      ...(widths.some(Boolean) && { widths: widths.map((width) => Math.min(width, MAX_WIDTH_CHARACTERS)) }),
    });
    meta.outline.push({ depth: 0, title: name, page: firstPage });
    firstPage += countPages(sheet);
  }
  writeFileSync(`${folder}/meta.json`, JSON.stringify(meta));
  emit({ type: 'opened', pages: firstPage - 1, width: 0, height: 0 });
  publishPictures(folder, sheets, emit);
  mkdirSync(`${folder}/f`, { recursive: true });
  writeFileSync(`${folder}/text.txt`, '');
  let number = 0;
  for (const sheet of sheets)
    for (const { section, text } of pagesOf(sheet, sheets)) {
      number++;
      writeFileSync(`${folder}/f/${pageName(number)}.json`, JSON.stringify(section));
      appendFileSync(`${folder}/text.txt`, number === 1 ? text : `\f${text}`);
      emit({ type: 'page', page: number });
    }
  emit({ type: 'text' });
  if (sheets[0]) await writeSheetCover(folder, { ...sheets[0], rows: rowsWithNotice(sheets[0]) });
  emit({ type: 'cover' });
}

/** Announces the pictures of visible sheets only. */
function publishPictures(folder: string, sheets: Sheet[], emit: (event: ConverterEvent) => void) {
  const names = new Set(sheets.flatMap(({ pictures = [] }) => pictures.map(({ name }) => name)));
  if (names.size > 0) mkdirSync(`${folder}/i`, { recursive: true });
  for (const name of names) {
    renameSync(`${folder}/${PICTURE_FOLDER}/${name}`, `${folder}/${name}`);
    emit({ type: 'file', name });
  }
}

async function readSheets(file: string, format: SheetOptions['format'], pictures: PictureList): Promise<Sheet[]> {
  if (format === 'csv' || format === 'tsv') return [readDelimited(file)];
  return format === 'htmltable' ? readHtmlSheets(file) : readWorkbook(file, format, pictures);
}

/** Built one after the other, because all pages of a large sheet take as much memory as its rows. */
function* pagesOf(sheet: Sheet, sheets: Sheet[]): Generator<{ section: Section; text: string }> {
  const rows = rowsWithNotice(sheet);
  for (let page = 0; page < countPages(sheet); page++) {
    const mergedCells = mergedCellsOfPage(sheet.mergedCells ?? [], page);
    const links = linksOfPage(sheet.links ?? [], page, sheets);
    const pictures = picturesOfPage(sheet.pictures ?? [], page);
    const cellStyles = sheet.styles && encodeStyles(rowsOfPage(sheet.styles, page));
    const section: Section = {
      rows: rowsOfPage(rows, page),
      ...(sheet.rowNumbers && { row_numbers: rowsOfPage(sheet.rowNumbers, page) }),
      ...(mergedCells.length > 0 && { merged_cells: mergedCells }),
      ...(cellStyles && { cell_styles: cellStyles }),
      ...links,
      ...(pictures.length > 0 && { pictures }),
    };
    const text = rowsOfPage(sheet.rows, page).map((row) => row.join('\t').trimEnd());
    yield { section, text: text.join('\n') };
  }
}

const rowsWithNotice = ({ rows, notice }: Sheet) => (notice ? [...rows, [notice]] : rows);

const rowsOfPage = <Row>(rows: Row[], pageIndex: number): Row[] =>
  rows.slice(pageIndex * ROWS_PER_PAGE, (pageIndex + 1) * ROWS_PER_PAGE);

/** Of merged cells that begin on an earlier page, the first row is negative. */
const mergedCellsOfPage = (mergedCells: MergedCell[], pageIndex: number): [number, number, number, number][] =>
  mergedCells
    .filter(({ row, rows }) => row < (pageIndex + 1) * ROWS_PER_PAGE && row + rows > pageIndex * ROWS_PER_PAGE)
    .slice(0, MAX_MERGED_CELLS_PER_SECTION)
    .map(({ row, column, rows, columns }) => [row - pageIndex * ROWS_PER_PAGE, column, rows, columns]);

/** Of pictures that begin on an earlier page, the first row is negative. */
const picturesOfPage = (pictures: VisiblePicture[], pageIndex: number): NonNullable<Section['pictures']> =>
  pictures
    .filter(({ row, rows }) => row < (pageIndex + 1) * ROWS_PER_PAGE && row + rows > pageIndex * ROWS_PER_PAGE)
    .slice(0, MAX_PICTURES_PER_SECTION)
    .map(({ row, column, rows, columns, name, label }) => {
      return [row - pageIndex * ROWS_PER_PAGE, column, rows, columns, name, label];
    });

type PageLinks = Pick<Section, 'links' | 'cell_links'>;

/** Links to cells that are not shown are left out. */
function linksOfPage(sheetLinks: SheetLink[], page: number, sheets: Sheet[]): PageLinks {
  const links: NonNullable<Section['links']> = [];
  const cellLinks: NonNullable<Section['cell_links']> = [];
  for (const { row, column, target } of sheetLinks) {
    if (Math.floor(row / ROWS_PER_PAGE) !== page) continue;
    const rowOfPage = row % ROWS_PER_PAGE;
    if (typeof target === 'string') links.push([rowOfPage, column, target]);
    else {
      const index = sheets.findIndex(({ name }) => name === target.sheet);
      const position = sheets[index] && visiblePosition(sheets[index], target);
      if (position) cellLinks.push([rowOfPage, column, index, ...position]);
    }
  }
  return { ...(links.length > 0 && { links }), ...(cellLinks.length > 0 && { cell_links: cellLinks }) };
}

function visiblePosition({ rows, rowNumbers, columnNumbers }: Sheet, target: CellTarget): [number, number] | null {
  const row = rowNumbers ? rowNumbers.indexOf(target.row + 1) : target.row;
  const column = columnNumbers ? columnNumbers.indexOf(target.column + 1) : target.column;
  return row >= 0 && row < rows.length && column >= 0 ? [row, column] : null;
}

const countPages = ({ rows, notice }: Sheet) =>
  Math.max(1, Math.ceil((rows.length + (notice ? 1 : 0)) / ROWS_PER_PAGE));
