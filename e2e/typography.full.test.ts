import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makeEpub } from '#modules/conversion/document-files.fixture.ts';
import { workbookWithDrawings } from '#modules/conversion/drawings.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { waitForHydration } from './page-helpers.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const { visit, ctx } = await startTestSite();
const author = await newPublisher(ctx);
const latinId = await author.publish(
  Buffer.from(`He said “don’t — wait…” to ‘me’ and left.\n\tname\tvalue\n    indented ${'word '.repeat(60)}\n`),
  '.txt',
  { title: 'Notes “in Latin” letters' },
);
const chineseId = await author.publish(Buffer.from('　　他说“等一等……”然后‘走’了——再没有回来。\n'), '.txt', {
  title: '中文“笔记”',
});
const bookId = await author.publish(
  makeEpub([
    { title: 'The “Big” Book', html: '<h1>The “Big” Book</h1><p>这一章讲的是一本大书，书里写了许多故事。</p>' },
    { title: '“小”书', html: '<h1>“小”书</h1><p>这一章讲的是一本小书，书里只有一个故事。</p>' },
  ]),
  '.epub',
  { title: 'The “Big” and the small' },
);
const workbookId = await author.publish(workbookWithDrawings(), '.xlsx', { title: '只有图表' });
await indexQueuedDocuments(ctx);

/** The width of the first opening quote on the page, in ems of its text. */
const measureQuoteWidth = (page: Page, container: string) =>
  page.evaluate((selector) => {
    const root = document.querySelector(selector);
    if (!root) throw new Error(`no ${selector}`);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const index = node.textContent?.indexOf('“') ?? -1;
      if (index < 0 || !node.parentElement) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const size = Number.parseFloat(getComputedStyle(node.parentElement).fontSize);
      return range.getBoundingClientRect().width / size;
    }
    throw new Error('no quote');
  }, container);

describe.each([
  ['on desktop', desktop],
  ['on a phone', phone],
])('document text %s', (_, options) => {
  test.each([
    ['the reader', (id: number) => `/document/${id}`, '.reader-flow'],
    ['the text version', (id: number) => `/document/${id}/text`, '.prose'],
  ])('uses Latin quotes in Latin text and full-width ones in Chinese text in %s', async (_name, pathOf, container) => {
    const page = await visit(pathOf(latinId), options);
    await page.getByText('to ‘me’ and left').first().waitFor();
    expect(await measureQuoteWidth(page, container)).toBeLessThan(0.6);
    const chinesePage = await visit(pathOf(chineseId), options);
    await chinesePage.getByText('再没有回来').first().waitFor();
    expect(await measureQuoteWidth(chinesePage, container)).toBeGreaterThan(0.9);
  });

  test.each([
    ['the excerpt of a search result', '/search?wd=said', '[aria-label="命中的页"]'],
    ['the title of a search result', '/search?wd=said', '[aria-label="搜索结果"] h2'],
    [
      'the excerpt in a list',
      `/category/${author.category_id.at(-1)}`,
      `li:has(a[href="/document/${latinId}"]) > div > p:last-of-type`,
    ],
  ])('uses Latin quotes for Latin text in %s', async (_name, path, container) => {
    const page = await visit(path, options);
    await page.getByText('to ‘me’ and left').first().waitFor();
    expect(await measureQuoteWidth(page, container)).toBeLessThan(0.6);
  });

  test.each([
    ['the reader', `/document/${bookId}`, '.reader-flow'],
    ['the text version', `/document/${bookId}/text`, '.prose'],
  ])('uses Latin quotes for a Latin heading of a Chinese book in %s', async (_name, path, container) => {
    const page = await visit(path, options);
    await page.getByText('书里只有一个故事').first().waitFor();
    expect(await measureQuoteWidth(page, `${container} #p1 :is(h1, h2)`)).toBeLessThan(0.6);
    expect(await measureQuoteWidth(page, `${container} #p2 :is(h1, h2)`)).toBeGreaterThan(0.9);
  });

  test('uses Latin quotes for a Latin title in the heading of the text version', async () => {
    const page = await visit(`/document/${bookId}/text`, options);
    expect(await measureQuoteWidth(page, 'main h1')).toBeLessThan(0.6);
  });

  test('keeps tabs and leading spaces and wraps long lines', async () => {
    const page = await visit(`/document/${latinId}`, options);
    await waitForHydration(page);
    const line = page.locator('.reader-flow .spaced').filter({ hasText: 'indented' });
    await line.waitFor();
    expect(await line.textContent()).toMatch(/^ {4}indented/);
    expect(await line.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe('pre-wrap');
    const { scrollWidth, clientWidth } = await page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      clientWidth: document.documentElement.clientWidth,
    }));
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  });

  test('shows the chart of a sheet, and a notice to download the file for drawings that cannot be shown', async () => {
    const page = await visit(`/document/${workbookId}`, options);
    await page.getByRole('button', { name: '图形' }).click();
    await page.getByText('此工作表只有图片或图表，请下载原文件查看').first().waitFor();
    await page.getByRole('button', { name: '图表' }).click();
    await page.getByTitle('查看大图').locator('img').first().waitFor();
  });
});
