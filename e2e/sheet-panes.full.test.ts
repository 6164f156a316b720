import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { makeStyledWorkbook, styledCell } from '#modules/conversion/styled-workbook.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const COLUMNS = 24;
const columnLetters = Array.from({ length: COLUMNS }, (_, at) => String.fromCharCode(65 + at));
const rowOf = (number: number) =>
  `<row r="${number}">${columnLetters.map((letter, at) => styledCell(`${letter}${number}`, number < 3 ? 1 : at % 4 === 3 ? 2 : 0, at % 4 === 3 && number > 2 ? (number % 2 ? 120.5 : -35.25) : `${letter}${number} 项目`)).join('')}</row>`;
const rows = Array.from({ length: 150 }, (_, at) => rowOf(at + 1)).join('');
const pane = (columns: number) =>
  `<sheetViews><sheetView workbookViewId="0"><pane xSplit="${columns}" ySplit="2" topLeftCell="C3" state="frozen"/></sheetView></sheetViews>`;
const book = makeStyledWorkbook({
  fonts: '<font/><font><b/></font>',
  fills: '<fill/><fill><patternFill patternType="solid"><fgColor rgb="FFD9E8DC"/></patternFill></fill>',
  xfs: '<xf/><xf fontId="1" fillId="1"/><xf numFmtId="40"/>',
  sheets: [
    `${pane(2)}<sheetData>${rows}</sheetData><hyperlinks><hyperlink ref="A4" location="表2!B120"/></hyperlinks>`,
    `${pane(1)}<sheetData>${rows}</sheetData>`,
  ],
});

const { visit, ctx, errors } = await startTestSite();
const publisher = await newPublisher(ctx);
const id = await publisher.publish(book, '.xlsx', { title: '冻结的行和列' });

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

const grid = (page: Page, sheet = '表1') => page.getByRole('region', { name: `工作表 ${sheet}` });
const leftOf = async (page: Page, text: string) =>
  (await grid(page).getByText(text, { exact: true }).boundingBox())?.x ?? Number.NaN;
const scrollGrid = (page: Page) =>
  grid(page).evaluate((element) => element.scrollTo({ top: 1_600, left: 400, behavior: 'instant' }));

test.each([
  ['light', 'light'],
  ['dark', 'dark'],
] as const)('on desktop the frozen rows and columns of a sheet stay visible in %s mode', async (_, colorScheme) => {
  const page = await visit(`/document/${id}`, { ...desktop, colorScheme });
  await grid(page).getByText('A5 项目', { exact: true }).waitFor();
  await scrollGrid(page);
  await grid(page).getByText('A60 项目', { exact: true }).waitFor();
  const frozenLeft = await leftOf(page, 'A2 项目');
  expect(Math.abs((await leftOf(page, 'A60 项目')) - frozenLeft)).toBeLessThan(2);
  expect(await leftOf(page, 'B60 项目')).toBeGreaterThan(frozenLeft);
  expect(await leftOf(page, 'C60 项目')).toBeLessThan(await leftOf(page, 'B60 项目'));
  await saveScreenshot(page, `sheet-panes-1280-${colorScheme}`);
});

test.each([
  ['light', 'light'],
  ['dark', 'dark'],
] as const)(
  'on a phone columns that would take more than half of the view are not frozen in %s mode',
  async (_, colorScheme) => {
    const page = await visit(`/document/${id}`, { ...phone, colorScheme });
    await grid(page).getByText('A5 项目', { exact: true }).waitFor();
    await scrollGrid(page);
    await grid(page).getByText('A60 项目', { exact: true }).waitFor({ state: 'attached' });
    expect(await leftOf(page, 'B60 项目')).toBeLessThan(52);
    await saveScreenshot(page, `sheet-panes-390-${colorScheme}`);
  },
);

test('a link to a cell of another sheet shows that cell', async () => {
  const page = await visit(`/document/${id}`);
  await grid(page).getByRole('button', { name: 'A4 项目' }).click();
  await grid(page, '表2').getByText('B120 项目', { exact: true }).waitFor();
  await page.getByText('B120', { exact: true }).waitFor();
});
