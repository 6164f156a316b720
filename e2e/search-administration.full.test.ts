import { afterAll, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visitAsAdministrator, address, errors } = site;
const siteWithoutSearch = await startTestSite({ SEARCH_URL: 'http://127.0.0.1:9' });

afterAll(() => {
  expect([...errors, ...siteWithoutSearch.errors], 'errors thrown by pages').toEqual([]);
});

test('the search page answers 503 with a notice while the search cluster is down, and categories still work', async () => {
  const response = await fetch(`${siteWithoutSearch.address}/search?wd=abc`);
  expect([response.status, (await response.text()).includes('暂时无法搜索')]).toEqual([503, true]);
  const page = await siteWithoutSearch.visit('/search?wd=abc');
  await page.getByRole('alert').getByText('浏览和阅读不受影响').waitFor();
  await saveScreenshot(page, 'outage');
  await page.getByRole('link', { name: '按分类浏览' }).click();
  await page.getByRole('heading', { name: '全部文档', level: 1 }).waitFor();
});

test('the administrator sees queries without results, adds synonyms and rebuilds the search index', async () => {
  await fetch(`${address}/api/v1/document/search?wd=${encodeURIComponent('绝无此书')}`);
  const page = await visitAsAdministrator('/admin/document/searchrecord');
  await page.getByRole('link', { name: '绝无此书' }).first().waitFor();
  await page.getByRole('tab', { name: '没有结果的词' }).click();
  await page.getByRole('link', { name: '绝无此书' }).waitFor();
  await saveScreenshot(page, 'admin-empty-words');
  await page.getByRole('tab', { name: '同义词' }).click();
  await page.getByRole('button', { name: '新增同义词' }).click();
  const words = page.getByLabel('意思相同的词');
  for (const word of ['计算机', '电脑']) {
    await words.fill(word);
    await words.press('Enter');
  }
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('计算机、电脑').waitFor();
  const { synonym } = await createAdminApi(site).send('GET', '/synonym/list');
  expect(synonym).toMatchObject([{ words: ['计算机', '电脑'], enable: true }]);
  await page.goto('/admin/dashboard');
  const card = page.getByRole('region', { name: '搜索索引' });
  await card.getByText('PostgreSQL').waitFor();
  await saveScreenshot(page, 'admin-dashboard');
  await card.getByRole('button', { name: '重建索引' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await page.getByText('已开始重建索引').waitFor();
});
