import XLSX from '@e965/xlsx';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { hasCorpus } from '#modules/conversion/conversion.fixture.ts';
import { makeWorkbook } from '#modules/conversion/workbook.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { waitForHydration } from './page-helpers.ts';
import { makeTextBook, readCorpusFile } from './sample-books.ts';
import { findAxeProblems } from './support/axe.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const { visit, ctx, errors } = await startTestSite();
const publisher = await newPublisher(ctx);
const bookId = await publisher.publish(makeTextBook(), '.txt', { title: '山行笔记' });

const twoSheets = XLSX.utils.book_new();
for (const [name, length] of [
  ['收入', 2],
  ['支出', 5_002],
] as const) {
  const cells = Array.from({ length }, (_, index) => [`${name} ${index + 1}`]);
  XLSX.utils.book_append_sheet(twoSheets, XLSX.utils.aoa_to_sheet([['科目'], ...cells]), name);
}
const workbookId = await publisher.publish(XLSX.write(twoSheets, { type: 'buffer', bookType: 'xlsb' }), '.xlsb', {
  title: '两张表',
});

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('the text version of a document opens without scripts and ends at the preview limit', async () => {
  await setSetting(ctx, 'converter.max_preview', '30');
  const page = await visit(`/document/${bookId}`, { ...phone, javaScriptEnabled: false });
  await page.getByText('第 1 程').first().waitFor();
  await page.getByRole('link', { name: '文字版' }).click();
  await page.getByRole('heading', { name: '第1章 山行之1', exact: true }).waitFor();
  await page.getByRole('navigation', { name: '分页' }).getByText('2', { exact: true }).click();
  await page.getByText('以上是可以试读的 30 页').waitFor();
  expect(await page.getByText('第 30 页').count()).toBe(1);
  expect(await page.getByText('第 31 页').count()).toBe(0);
  const darkPage = await visit(`/document/${bookId}/text?page=2`, { ...desktop, colorScheme: 'dark' });
  expect(await findAxeProblems(darkPage)).toEqual([]);
  expect(await darkPage.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/text\?page=2$/);
  expect((await darkPage.goto(`/document/${bookId}/text?page=3`))?.status()).toBe(404);
  await setSetting(ctx, 'converter.max_preview', '0');
  expect(errors).toEqual([]);
});

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])('on %s the reader shows every sheet of a workbook and says that a long sheet is truncated', async (_, device) => {
  const page = await visit(`/document/${workbookId}`, device);
  const tabs = page.getByRole('navigation', { name: '工作表' });
  const grid = page.getByRole('region', { name: /工作表/ });
  await grid.getByText('收入 2', { exact: true }).waitFor();
  expect(await tabs.getByRole('button').allTextContents()).toEqual(['收入', '支出']);
  expect(await page.getByText('只显示前').count()).toBe(0);
  await tabs.getByRole('button', { name: '支出' }).click();
  await grid.getByText('支出 2', { exact: true }).waitFor();
  expect(await grid.getByText('收入 2', { exact: true }).count()).toBe(0);
  await page.getByText('只显示前 5000 行，共 5003 行').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(device.viewport.width);
  await tabs.getByRole('button', { name: '收入' }).click();
  await grid.getByText('收入 2', { exact: true }).waitFor();
});

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])('on %s an empty workbook shows a message instead of a grid', async (deviceName, device) => {
  const id = await publisher.publish(makeWorkbook('xlsx', [{ name: '空表', rows: [] }]), '.xlsx', { title: '空白' });
  const page = await visit(`/document/${id}`, device);
  const grid = page.getByRole('region', { name: '工作表 空表' });
  await grid.getByText('此工作表为空', { exact: true }).waitFor();
  expect(await grid.getByRole('table').count()).toBe(0);
  expect(await page.getByText('点一个单元格').count()).toBe(0);
  await saveScreenshot(page, `sheet-empty-${deviceName}`);
});

describe('a workbook with hidden rows and columns', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => [`品${index + 1}`, `密${index + 1}`, `值${index + 1}`]);
  const hiddenRows = [2, 3, ...Array.from({ length: 50 }, (_, index) => index + 20)];
  const hiddenRowsWorkbook = makeWorkbook('xlsx', [{ name: '库存', rows, hiddenRows, hiddenColumns: [1] }]);
  const id = await publisher.publish(hiddenRowsWorkbook, '.xlsx', { title: '隐藏的行' });

  test('shows the row numbers and column letters of Excel with gaps', async () => {
    const page = await visit(`/document/${id}`);
    const grid = page.getByRole('region', { name: /工作表/ });
    await grid.getByText('品5', { exact: true }).click();
    await page.getByText('A5', { exact: true }).waitFor();
    await grid.getByText('值5', { exact: true }).click();
    await page.getByText('C5', { exact: true }).waitFor();
    const labels = await grid.locator('th[scope]').allTextContents();
    expect(labels.slice(0, 6)).toEqual(['A', 'C', '1', '2', '5', '6']);
    await saveScreenshot(page, 'sheet-hidden-rows');
  });

  test('selects the cell of a search hit and the row of a link with their numbers in Excel', async () => {
    const page = await visit(`/document/${id}?wd=${encodeURIComponent('值200')}`);
    await page.getByText('C200', { exact: true }).waitFor();
    const linkedPage = await visit(`/document/${id}#p=2`);
    // Row 101 of the visible rows; 52 rows above it are hidden.
    await linkedPage.getByText('A153', { exact: true }).waitFor();
    await linkedPage
      .getByRole('region', { name: /工作表/ })
      .getByText('品153', { exact: true })
      .waitFor();
  });
});

/** Returns the text of the active search hit, in any view of the reader. */
const readActiveHit = (page: Page) =>
  page.evaluate(() => {
    const [range] = CSS.highlights.get('reader-hit-active') ?? [];
    if (range) return `${range}`;
    const mark = document.querySelector('[data-reader] [data-mark="active"]');
    if (mark) return mark.closest('[data-page]')?.querySelector('[data-words]')?.textContent ?? '';
    return document.querySelector('[data-reader] td[data-active] mark')?.textContent ?? '';
  });
const removeWhitespace = (text: string) => text.replaceAll(/\s/g, '');

describe.runIf(hasCorpus)('the reader on desktop and on a phone', () => {
  test.each([
    ['pdf/testPDF_rotated.pdf', '.pdf', 'Apache Tika'],
    ['docx/61991.docx', '.docx', 'Transparency'],
    ['pptx/45545_Comment.pptx', '.pptx', 'financing obstacles'],
    ['epub/testEPUB.epub', '.epub', 'This is the text for chapter'],
    ['txt/s_BII-S-2.txt', '.txt', 'Characteristics[organism]'],
    ['xlsx/RepeatingRowsCols.xlsx', '.xlsx', 'no repeating rows or columns'],
  ])('shows %s and finds its text', async (file, ext, searchText) => {
    const id = await publisher.publish(await readCorpusFile(file), ext, { title: file });
    for (const device of [desktop, phone]) {
      const page = await visit(`/document/${id}?wd=${encodeURIComponent(searchText)}`, {
        ...device,
        colorScheme: device === desktop ? 'dark' : 'light',
      });
      await waitForHydration(page);
      await expect
        .poll(async () => removeWhitespace(await readActiveHit(page)))
        .toContain(removeWhitespace(searchText));
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        `${device.viewport.width}`,
      ).toBeLessThanOrEqual(device.viewport.width);
      if (device === phone) continue;
      expect(await findAxeProblems(page)).toEqual([]);
      await page.goto(`/document/${id}/text`);
      expect(removeWhitespace((await page.locator('main .prose').textContent()) ?? '')).toContain(
        removeWhitespace(searchText),
      );
    }
    expect(errors).toEqual([]);
  });
});
