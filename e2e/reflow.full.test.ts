import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { waitForHydration } from './page-helpers.ts';
import { makeTextBook } from './sample-books.ts';
import { findAxeProblems } from './support/axe.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const { visit, ctx, errors } = await startTestSite();
const author = await newPublisher(ctx);

const bookId = await author.publish(makeTextBook(), '.txt', { title: '山行笔记' });
const rows = Array.from({ length: 640 }, (_, index) => [`编号${index + 1}`, `=SUM(A${index})`, `城市 ${index % 7}`]);
const tableId = await author.publish(
  Buffer.from([['编号', '算式', ...'甲乙丙丁戊己庚辛'], ...rows].map((row) => row.join(',')).join('\n')),
  '.csv',
  { title: '城市清单' },
);

const readTopText = (page: Page) =>
  page.evaluate(() => document.elementFromPoint(innerWidth / 2, 138)?.textContent ?? '');

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])(
  'on %s a text book keeps its position while typography changes, opens chapters and finds words',
  async (_, device) => {
    const page = await visit(`/document/${bookId}#p=20`, device);
    await expect.poll(() => readTopText(page)).toMatch(/第 (9|10|11) 程|山行之/);
    const initialText = await readTopText(page);
    // Scrolling up shows the toolbar.
    await page.evaluate(() => window.scrollBy(0, -40));
    await page.getByRole('button', { name: '排版', exact: true }).first().click();
    const column = page.locator('.reader-flow-column');
    /** The ratio of line height to font size, and the width of the column in px. */
    const readTypography = () =>
      column.evaluate((node) => {
        const { lineHeight, fontSize } = getComputedStyle(node.querySelector('.prose p') ?? node);
        return [Number.parseFloat(lineHeight) / Number.parseFloat(fontSize), node.clientWidth] as const;
      });
    const defaultTypography = await readTypography();
    expect(defaultTypography[0]).toBeCloseTo(1.9, 1);
    await page.getByRole('button', { name: '窄', exact: true }).click();
    await expect.poll(async () => (await readTypography())[1]).toBe(Math.min(28 * 18 + 48, device.viewport.width));
    if (device === desktop) expect(defaultTypography[1]).toBe(38 * 18 + 48);
    await page.getByRole('button', { name: '放大字号' }).click();
    await page.getByRole('button', { name: '放大字号' }).click();
    await page.getByRole('button', { name: '宽松' }).click();
    await page.getByRole('button', { name: '米黄' }).click();
    await expect.poll(async () => (await readTypography())[0]).toBeCloseTo(2.2, 1);
    // The position stays the same while the font grows.
    const chapter = /\d+/.exec(initialText)?.[0] ?? '';
    await page.keyboard.press('Escape');
    expect(await findAxeProblems(page)).toEqual([]);
    await expect.poll(() => readTopText(page)).toContain(chapter);
    await page.reload();
    await expect.poll(() => column.evaluate((node) => getComputedStyle(node).fontSize)).toBe('22px');
    expect(await page.locator('.reader-flow').getAttribute('data-tone')).toBe('sepia');

    await waitForHydration(page);
    await page.evaluate(() => window.scrollBy(0, -40));
    await page.getByRole('button', { name: /^目录/ }).locator('visible=true').click();
    await page.getByRole('button', { name: '第30章 山行之30' }).click();
    await expect.poll(() => readTopText(page)).toMatch(/第 30 程|第30章/);
    const progress = page.getByRole('progressbar', { name: '阅读进度' });
    await expect.poll(() => progress.getAttribute('aria-valuenow')).toMatch(/^7[2-7]$/);
    await page.locator('.reader-flow-progress').getByText('第30章 山行之30').waitFor();
    await page
      .locator('.reader-flow-progress')
      .getByText(/^7[2-7]%$/)
      .waitFor();

    await page.keyboard.press('/');
    await page.getByLabel('在文档中查找').fill('古印');
    await page.getByText('共 4 处').waitFor();
    await page.getByRole('button', { name: '下一处' }).click();
    await page.getByRole('button', { name: '下一处' }).click();
    const readActiveHit = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('reader-hit-active') ?? [];
        const box = (range as Range | undefined)?.getBoundingClientRect();
        return box ? `${range} ${box.top > 0 && box.bottom < innerHeight}` : '';
      });
    await expect.poll(readActiveHit).toBe('古印 true');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(device.viewport.width);
    await page.context().close();
  },
);

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])('on %s a table keeps its header and row numbers visible, finds cells and computes no formula', async (_, device) => {
  const page = await visit(`/document/${tableId}`, device);
  const grid = page.getByRole('region', { name: /工作表/ });
  await grid.getByText('编号1', { exact: true }).waitFor();
  await grid.getByText('=SUM(A0)').waitFor();
  await grid.evaluate((node) => node.scrollTo(200, 12_000));
  await grid.getByText('编号380', { exact: true }).waitFor();
  const topOf = async (text: string) => (await grid.getByText(text, { exact: true }).boundingBox())?.y;
  expect((await topOf('编号')) ?? 0).toBeLessThan((await topOf('编号380')) ?? 0);
  const rowNumber = grid.getByRole('rowheader', { name: '381', exact: true });
  expect((await rowNumber.boundingBox())?.x).toBeLessThan(20);
  await page.keyboard.press('/');
  await page.getByLabel('在文档中查找').fill('编号600');
  await page.getByText('共 1 处').waitFor();
  await page.getByRole('button', { name: '下一处' }).click();
  await page.keyboard.press('Escape');
  await grid.locator('td[data-active]', { hasText: '编号600' }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(device.viewport.width);
  await page.context().close();
});
