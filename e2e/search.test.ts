import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { publishText } from '#modules/search/search.fixture.ts';
import { rowsForTier } from '#testing/test-tier.ts';
import { isFocused } from './page-helpers.ts';
import { makeBookPdf } from './sample-books.ts';
import { findAxeProblems } from './support/axe.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const { visit, ctx, errors } = await startTestSite();
const bookId = await (await newPublisher(ctx)).publish(makeBookPdf(40), '.pdf', {
  title: '长江大桥图集',
});
/** Age of a document: one hour per number, more than a week for the last two. */
const hoursAgo = (number: number) => (number > 12 ? number * 100 : number);
for (let number = 1; number <= 14; number++)
  await publishText(ctx, {
    title: `长江大桥施工记录（${number}）`,
    pages: ['工程概况。', `第 ${number} 号桥墩的施工。南京市长江大桥的桥墩在水下三十米。`],
    price: number % 5 === 0 ? 3 : 0,
    keywords: '桥梁,水下作业',
    view_count: number === 9 ? 99 : 0,
    category_id: number <= 3 ? [1] : [],
    created_at: new Date(ctx.now().getTime() - hoursAgo(number) * 3_600_000).toISOString(),
  });
await publishText(ctx, { title: '数据结构讲义', pages: ['链表与树。'] });
await indexQueuedDocuments(ctx);

const darkPhone = { ...phone, colorScheme: 'dark' as const };

const resultTitles = (page: Page) => page.getByRole('list', { name: '搜索结果' }).getByRole('heading', { level: 2 });
const searchInput = (page: Page) => page.getByPlaceholder('请输入关键词').filter({ visible: true });
/** Each filter with a value, the number of hits for 长江大桥 that it leaves, and its query parameter. */
const facets: [title: string, value: string, count: number, parameter: string][] = [
  ['类型', 'PDF', 1, 'ext=pdf'],
  ['分类', '教育考试', 3, 'category_id=1'],
  ['时间', '一周内', 13, 'duration=week'],
  ['页数', '11–50 页', 1, 'pages=11-50'],
  ['费用', '付费', 2, 'fee_type=charge'],
];
const facetLink = (page: Page, title: string, value: string) =>
  page.getByRole('region', { name: title }).getByRole('link', { name: value });
const expectTotal = (page: Page, count: number) => page.getByText(`找到 ${count} 篇文档，用时`).waitFor();
const expectNoHorizontalScroll = async (page: Page, width: number) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

test.each(
  rowsForTier([
    ['desktop', desktop],
    ['a phone', darkPhone],
  ]),
)(
  'on %s a visitor gets suggestions, searches, filters, sorts, opens a hit at its page, steps through hits, goes back and follows a correction and a related query',
  async (deviceName, device) => {
    const page = await visit('/', device);
    const hero = page.getByRole('combobox', { name: '搜索文档' }).first();
    await hero.click();
    await hero.pressSequentially('shuju');
    await page.getByRole('option', { name: '数据结构讲义' }).waitFor();
    await saveScreenshot(page, `${deviceName}-suggest`);
    expect(await findAxeProblems(page)).toEqual([]);
    await hero.press('Escape');
    expect(await hero.inputValue()).toBe('shuju');
    await hero.fill('长江大桥');
    await page.getByRole('option').first().waitFor();
    await hero.press('Enter');
    await page.waitForURL(/\/search\?wd=/);
    await expect.poll(() => resultTitles(page).count()).toBe(10);
    await page.getByText(/^找到 15 篇文档，用时 \d\.\d{3} 秒$/).waitFor();
    await saveScreenshot(page, `${deviceName}-results`);
    expect(await findAxeProblems(page)).toEqual([]);
    await expectNoHorizontalScroll(page, device.viewport.width);

    if (device === darkPhone) await page.getByRole('button', { name: '筛选' }).click();
    for (const [title, value, count, parameter] of facets) {
      const link = facetLink(page, title, value);
      expect(await link.textContent()).toBe(`${value}${count}`);
      await link.click();
      await page.waitForURL((url) => url.search.includes(parameter));
      await expectTotal(page, count);
      // On a phone the filter sheet hides the results from the accessibility tree.
      if (device === darkPhone) await page.getByRole('button', { name: `查看 ${count} 篇文档` }).waitFor();
      else await expect.poll(() => resultTitles(page).count()).toBe(Math.min(count, 10));
      if (value === '付费') break;
      await facetLink(page, title, '不限').click();
      await page.waitForURL((url) => !url.search.includes(parameter));
      await expectTotal(page, 15);
    }
    await saveScreenshot(page, `${deviceName}-filters`);
    if (device === darkPhone) {
      await page.getByRole('button', { name: '查看 2 篇文档' }).click();
      await expect.poll(() => resultTitles(page).count()).toBe(2);
      await page.getByRole('button', { name: '筛选 1' }).click();
    }
    await page.getByRole('link', { name: '清除所有筛选' }).click();
    await expectTotal(page, 15);
    if (device === darkPhone) await page.getByRole('button', { name: '查看 15 篇文档' }).click();

    const sortLinks = page.getByRole('navigation', { name: '排序' }).getByRole('link');
    const firstResult = resultTitles(page).first().getByRole('link');
    for (const [name, sort, firstTitle] of [
      ['最新', 'latest', '长江大桥图集'],
      ['浏览', 'view_count', '长江大桥施工记录（9）'],
      ['页数', 'pages', '长江大桥图集'],
    ] as const) {
      await sortLinks.filter({ hasText: name }).click();
      await page.waitForURL((url) => url.searchParams.get('sort') === sort);
      await expect.poll(() => firstResult.textContent()).toBe(firstTitle);
      await expect.poll(() => sortLinks.filter({ hasText: name }).getAttribute('aria-current')).toBe('true');
    }
    // In tab order the sort links precede the filter button of a phone and the first result.
    await sortLinks.last().focus();
    for (const _ of device === darkPhone ? ['筛选', '图集'] : ['图集']) await page.keyboard.press('Tab');
    expect(await isFocused(firstResult)).toBe(true);
    await page.evaluate(() => window.scrollTo(0, 80));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/document/${bookId}*`);
    await page.getByRole('heading', { name: '长江大桥图集' }).first().waitFor();
    await page.goBack();
    await expect.poll(() => firstResult.textContent()).toBe('长江大桥图集');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(40);

    // "needle" occurs once on each of the forty pages, "17" on one of them.
    await searchInput(page).fill('needle 17');
    await searchInput(page).press('Enter');
    await page.waitForURL(/needle/);
    const hit = page.getByRole('list', { name: '命中的页' }).getByRole('link').first();
    await hit.waitFor();
    expect(await hit.getAttribute('href')).toMatch(/^\/document\/\d+\?wd=.+#p=17$/);
    await hit.click();
    await page.waitForURL(new RegExp(`/document/${bookId}\\?wd=`));
    const hitNavigation = page.getByRole('region', { name: '查找结果' });
    const expectActiveHit = async (number: number, hash: string) => {
      await hitNavigation.getByText(`${number} / 40 处`).waitFor();
      await expect.poll(() => new URL(page.url()).hash).toBe(hash);
      await expect.poll(() => page.locator('[data-mark="active"]').count()).toBe(1);
      const isInViewport = () =>
        page.locator('[data-mark="active"]').evaluate((mark) => {
          const { top, bottom } = mark.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        });
      await expect.poll(isInViewport).toBe(true);
    };
    await expectActiveHit(17, '#p=17');
    await saveScreenshot(page, `${deviceName}-opened`);
    await hitNavigation.getByRole('button', { name: '下一处' }).click();
    await expectActiveHit(18, '#p=18');
    await hitNavigation.getByRole('button', { name: '上一处' }).click();
    await expectActiveHit(17, '#p=17');
    await page.goBack();
    await page.waitForURL(/\/search\?wd=needle/);
    await hit.waitFor();

    await searchInput(page).fill('桥粱');
    await searchInput(page).press('Enter');
    await page.getByText('您是不是要找：').getByRole('link', { name: '桥梁' }).click();
    await page.waitForURL(`**/search?wd=${encodeURIComponent('桥梁')}`);
    await expectTotal(page, 14);
    const relatedSearches = page.getByRole('region', { name: '相关搜索' });
    await relatedSearches.getByRole('link', { name: '水下作业' }).click();
    await page.waitForURL(`**/search?wd=${encodeURIComponent('水下作业')}`);
    await expectTotal(page, 14);
  },
);

test('without JavaScript a search shows its results, filters and pages', async () => {
  const page = await visit(`/search?wd=${encodeURIComponent('南京 大桥')}`, {
    ...phone,
    javaScriptEnabled: false,
  });
  expect(await resultTitles(page).count()).toBe(10);
  expect(await page.getByRole('list', { name: '命中的页' }).first().textContent()).toContain('第 2 页');
  await page.getByRole('link', { name: /^付费/ }).click();
  await expect.poll(() => resultTitles(page).count()).toBe(2);
  await page.getByRole('link', { name: '清除所有筛选' }).click();
  await page.getByRole('link', { name: '下一页' }).click();
  await expect.poll(() => resultTitles(page).count()).toBe(4);
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
