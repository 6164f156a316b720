import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { publishText } from '#modules/search/search.fixture.ts';
import { findAxeProblems } from './support/axe.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { startTestSite } from './support/site.ts';

const { visit, ctx, errors } = await startTestSite();
for (let number = 1; number <= 11; number++)
  await publishText(ctx, { title: `长江大桥施工记录（${number}）`, pages: ['工程概况。'] });
await indexQueuedDocuments(ctx);

const resultTitles = (page: Page) => page.getByRole('list', { name: '搜索结果' }).getByRole('heading', { level: 2 });

test('a search without results links to all documents, and filters without results can be cleared', async () => {
  const page = await visit(`/search?wd=${encodeURIComponent('齉龘爩')}`);
  await page.getByText('很遗憾，未能检索到相关结果').waitFor();
  await page.getByRole('link', { name: '浏览全部文档' }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await saveScreenshot(page, 'empty');
  await page.goto(`/search?wd=${encodeURIComponent('长江大桥')}&ext=xls`);
  await page.getByText('没有符合筛选条件的结果').waitFor();
  await page.getByRole('main').getByRole('link', { name: '清除所有筛选' }).last().click();
  await expect.poll(() => resultTitles(page).count()).toBe(10);
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
