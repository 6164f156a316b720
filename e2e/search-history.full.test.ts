import { expect, test } from 'vitest';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { publishText } from '#modules/search/search.fixture.ts';
import { startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visitAs, ctx, address, errors } = site;
await publishText(ctx, { title: '长江大桥施工记录', pages: ['第 1 号桥墩的施工。'] });
await indexQueuedDocuments(ctx);

test('a member selects a query from the search history by keyboard, searches for it and clears the history', async () => {
  const member = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  const headers = member.headers;
  for (const wd of ['桥墩', '链表']) {
    site.clock.now = new Date();
    await fetch(`${address}/api/v1/document/search?wd=${encodeURIComponent(wd)}`, { headers });
  }
  const page = await visitAs(headers, '/category');
  const searchBox = page.getByRole('banner').getByRole('combobox');
  await searchBox.focus();
  await page.getByRole('option', { name: '链表' }).waitFor();
  await searchBox.press('ArrowDown');
  await searchBox.press('ArrowDown');
  await page.getByRole('option', { name: '桥墩', selected: true }).waitFor();
  await expect
    .poll(async () => {
      const activeId = await searchBox.getAttribute('aria-activedescendant');
      return page.locator(`[id="${activeId}"]`).textContent();
    })
    .toBe('桥墩');
  await searchBox.press('Enter');
  await page.waitForURL(`**/search?wd=${encodeURIComponent('桥墩')}`);
  await page.getByRole('link', { name: '长江大桥施工记录' }).waitFor();
  await page.getByPlaceholder('请输入关键词').filter({ visible: true }).fill('');
  await page.getByRole('button', { name: '清除历史记录' }).click();
  await expect.poll(() => page.getByRole('group', { name: '我搜过的' }).count()).toBe(0);
  const response = await fetch(`${address}/api/v1/search/history`, { headers });
  expect((await response.json()).history).toEqual([]);
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
