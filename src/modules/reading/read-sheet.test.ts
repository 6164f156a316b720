import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { findRendition } from '#modules/conversion/rendition.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { makeWorkbook } from '#modules/conversion/workbook.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

const { app, ctx } = await testApp({ runJobs: true });
const owner = await newPublisher(ctx);
const fetchJson = async (path: string) => (await app.inject({ url: `/api/v1/document/${path}` })).json();

const rows = [
  ['甲', '密', '丙'],
  ['密', '密', '密'],
  ['一', '密', '三'],
];
const visibleRows = [
  ['甲', '丙'],
  ['一', '三'],
];
const book = makeWorkbook('xlsx', [{ name: '表', rows, hiddenRows: [1], hiddenColumns: [1] }]);

test('the reading API returns the numbers that rows and columns have in a workbook with hidden ones', async () => {
  const id = await owner.publish(book, '.xlsx');
  expect((await fetchJson(`layout?id=${id}`)).sheets).toEqual([
    { name: '表', page: 1, rows: 2, cut: false, columns: 2, column_numbers: [1, 3], widths: [10, 10] },
  ]);
  expect((await fetchJson(`pages?id=${id}`)).page).toMatchObject([{ rows: visibleRows, row_numbers: [1, 3] }]);
});

test('the reading API returns the rows of an older rendition that has no row numbers', async () => {
  const id = await owner.publish(book, '.xlsx');
  const [document] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  const rendition = await findRendition(ctx, document?.rendition_id ?? 0);
  if (!rendition) throw new Error('the document has no rendition');
  await ctx.storage.put(renditionStorageKeys(rendition).section(1), Buffer.from(JSON.stringify({ rows: visibleRows })));
  const { page } = await fetchJson(`pages?id=${id}`);
  expect(page).toMatchObject([{ rows: visibleRows }]);
  expect(page[0]).not.toHaveProperty('row_numbers');
});
