import { expect, test } from 'vitest';
import { makeWorkbook, rewriteSheet } from '../../workbook.fixture.ts';
import { openZipBytes } from '../flow/zip-reader.ts';
import { listSheetParts } from '../sheet/workbook-parts.ts';
import { createVisibilityReader } from './workbook-visibility.ts';

const rows = Array.from({ length: 4 }, () => ['a', 'b', 'c', 'd']);
const book = (bookType: 'xlsx' | 'xlsb') =>
  makeWorkbook(bookType, [
    { name: 'Hidden', rows, hiddenRows: [1, 3], hiddenColumns: [2] },
    { name: 'Visible', rows },
  ]);

/** Indexes of the hidden rows and columns among the first five of a sheet. */
async function hiddenIn(bytes: Buffer, sheet: string) {
  const zip = await openZipBytes(bytes);
  const { visibility } = createVisibilityReader(zip, await listSheetParts(zip));
  const sheetVisibility = await visibility.visibilityOf(sheet);
  const hasHiddenCells = await visibility.hasHiddenCells();
  zip.close();
  if (!sheetVisibility) return null;
  const indexes = [0, 1, 2, 3, 4];
  return {
    rows: indexes.filter(sheetVisibility.isRowHidden),
    columns: indexes.filter(sheetVisibility.isColumnHidden),
    inSheet: sheetVisibility.hasHiddenCells,
    inWorkbook: hasHiddenCells,
  };
}

test.each(['xlsx', 'xlsb'] as const)('finds hidden rows and columns of %s files', async (bookType) => {
  const bytes = book(bookType);
  expect(await hiddenIn(bytes, 'hidden')).toEqual({ rows: [1, 3], columns: [2], inSheet: true, inWorkbook: true });
  expect(await hiddenIn(bytes, 'Visible')).toEqual({ rows: [], columns: [], inSheet: false, inWorkbook: true });
  expect(await hiddenIn(bytes, 'Missing')).toBeNull();
});

test('finds hidden rows without numbers, and rows and columns of size 0', async () => {
  const bytes = makeWorkbook('xlsx', [{ name: 'S', rows }]);
  const rewrittenBook = rewriteSheet(bytes, (xml) =>
    xml
      .replace(/<cols>.*<\/cols>/, '<cols><col min="2" max="3" width="0" customWidth="1"/></cols>')
      .replaceAll(/<row [^>]*>/g, '<row>')
      .replace(/(<row>.*?)<row>(.*?)<row>/s, '$1<row hidden="true">$2<row ht="0">'),
  );
  expect(await hiddenIn(rewrittenBook, 'S')).toMatchObject({ rows: [1, 2], columns: [1, 2], inSheet: true });
});

test('finds columns without a width of their own hidden by a default width of 0', async () => {
  const bytes = rewriteSheet(makeWorkbook('xlsx', [{ name: 'S', rows }]), (xml) =>
    xml.replace(
      /<cols>.*<\/cols>/,
      '<sheetFormatPr defaultColWidth="0"/><cols><col min="1" max="2" width="9"/></cols>',
    ),
  );
  expect(await hiddenIn(bytes, 'S')).toMatchObject({ rows: [], columns: [2, 3, 4], inSheet: true });
});

test('finds all cells of a sheet hidden that is too large', async () => {
  const zip = await openZipBytes(book('xlsx'));
  const { visibility } = createVisibilityReader(
    { ...zip, stream: () => zip.stream('xl/workbook.xml', 1) },
    await listSheetParts(zip),
  );
  const sheet = await visibility.visibilityOf('Visible');
  zip.close();
  expect([sheet?.isRowHidden(9), sheet?.isColumnHidden(9), sheet?.hasHiddenCells]).toEqual([true, true, true]);
});
