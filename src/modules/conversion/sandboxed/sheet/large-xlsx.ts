import type XLSX from '@e965/xlsx';
import { openZip, type Zip } from '../flow/zip-reader.ts';
import type { SheetCells } from './arrange-sheet.ts';
import { parseZippedParts } from './built-in-formats.ts';
import { readCellLinks } from './cell-links.ts';
import { excelVisibility, hiddenExcelSheets } from './cell-visibility.ts';
import { BLOCK_BYTES, divideSheetMarkup } from './divide-sheet-markup.ts';
import { parseFrozenPanes } from './frozen-panes.ts';
import type { OpenWorkbook } from './open-workbook.ts';
import { type LargeBook, readRowPieces, type SheetSource } from './read-row-pieces.ts';
import type { RowBudget } from './row-budget.ts';
import { indexSharedStrings } from './shared-strings.ts';
import { styleCache } from './visible-cell-styles.ts';
import { listSheetParts, relationsPartPath } from './workbook-parts.ts';
import { readXlsxCellFormats } from './xlsx-cell-styles.ts';
import { hasZeroWidthXml, MAX_SHEET_BYTES } from './zero-row-and-column-sizes.ts';

/** Unpacked size of sheets and shared strings from which on a workbook is read in pieces. */
const LARGE_BYTES = 16 * 1024 * 1024;
const SHARED_STRINGS_PART = /(?:^|\/)sharedStrings\d*\.xml$/i;
const SHEET_PART = /(?:^|\/)\w*sheets\/[^/]+\.xml$/i;
/** Folders and parts that no cell needs. Comments are not shown. */
const UNUSED_PART =
  /(?:^|\/)(?:drawings|charts?|chartEx|diagrams|pivot\w+|externalLinks|customXml|ctrlProps|embeddings|media|tables|queryTables|slicer\w*|timeline\w*|threadedComments)\/|(?:^|\/)(?:comments|calcChain)\w*\.xml$/i;

export async function isLargeXlsx(file: string): Promise<boolean> {
  const zip = await openZip(file);
  try {
    const parts = zip.names.filter((name) => SHEET_PART.test(name) || SHARED_STRINGS_PART.test(name));
    return parts.reduce((sum, name) => sum + zip.sizeOf(name), 0) > LARGE_BYTES;
  } finally {
    zip.close();
  }
}

/**
 * Opens an xlsx file that is too large to be parsed whole. The library parses some megabytes of rows at a time, as a
 * workbook with their shared strings, so that values and formats are those of smaller workbooks.
 */
export async function openLargeXlsx(file: string, blockBytes = BLOCK_BYTES): Promise<OpenWorkbook> {
  const zip = await openZip(file);
  try {
    const parts = await readWorkbookParts(zip);
    const workbook = parseZippedParts(parts, { sheets: [] });
    const stringsPart = zip.names.find((name) => SHARED_STRINGS_PART.test(name));
    const strings = indexSharedStrings(
      (stringsPart && (await zip.read(stringsPart, MAX_SHEET_BYTES))) || Buffer.alloc(0),
    );
    const sheetParts = await listSheetParts(zip);
    const book: LargeBook = {
      zip,
      blockBytes,
      parts,
      strings,
      stringsPart: stringsPart ?? 'xl/sharedStrings.xml',
      styleOf: styleCache(await readXlsxCellFormats(zip)),
      date1904: workbook.Workbook?.WBProps?.date1904 === true,
    };
    return {
      names: workbook.SheetNames,
      hiddenNames: hiddenExcelSheets(workbook),
      readSheet: async (name, budget) => {
        const index = workbook.SheetNames.indexOf(name);
        const part = sheetParts[index]?.part;
        return part ? readLargeSheet(book, { index, part, name }, budget) : null;
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Reads the parts that describe the workbook: its list of sheets, their relations, formats and theme. */
async function readWorkbookParts(zip: Zip): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  const isNeeded = (name: string) =>
    /\.(?:xml|rels)$/i.test(name) && !/(?:^|\/)\w*sheets\//i.test(name) && !SHARED_STRINGS_PART.test(name);
  for (const name of zip.names.filter((name) => isNeeded(name) && !UNUSED_PART.test(name))) {
    const part = await zip.read(name);
    if (part) parts.set(name, part);
  }
  return parts;
}

async function readLargeSheet(book: LargeBook, source: SheetSource, budget: RowBudget): Promise<SheetCells | null> {
  const chunks = book.zip.stream(source.part, MAX_SHEET_BYTES);
  if (!chunks) return null;
  const rows = await readRowPieces(book, source, { markup: divideSheetMarkup(chunks, book.blockBytes), budget });
  const relations = relationsPartPath(source.part);
  const outlineParts: [string, Buffer][] = [
    [source.part, Buffer.concat([rows.head, rows.tail])],
    [relations, (await book.zip.read(relations)) ?? Buffer.alloc(0)],
  ];
  const outline = parseZippedParts(new Map([...book.parts, ...outlineParts]), {
    dense: true,
    cellStyles: true,
    sheets: source.index,
  });
  const sheet: XLSX.WorkSheet = outline.Sheets[source.name] ?? {};
  // The cells of a chart sheet copy its data; the chart itself is read as a drawing.
  const info: XLSX.WorkSheet = sheet['!type'] === 'chart' ? {} : { ...sheet, '!rows': rows.rowProperties };
  const zeroSizes = { rows: new Set<number>(), isDefaultColumnWidthZero: hasZeroWidthXml(rows.head) };
  return {
    info,
    texts: rows.texts,
    visibility: excelVisibility(info, zeroSizes),
    fileRows: rows.lastRow,
    isCut: rows.isCut,
    styleAt: rows.styleAt,
    links: readCellLinks(info['!data'] ?? []),
    frozen: parseFrozenPanes(rows.head.toString('latin1')),
  };
}
