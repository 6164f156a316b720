import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addDocument, changeDocument } from '#modules/document/document.fixture.ts';
import { findAxeProblems } from './support/axe.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, pool, ctx, address, errors } = site;
const author = await newAuthor(site);
const [topCategoryId = 0, leafCategoryId = 0] = author.category_id;
/** Each document has its own short text: equal documents would be one entry in lists. */
const addLecture = async (title: string, price = 0) => {
  const bytes = Buffer.from(`${title}\n\n物体在不受外力时保持静止或匀速直线运动。`);
  const file = { bytes, ext: '.txt', category_id: author.category_id };
  return (await addDocument(ctx, author, { title, price, ...file })).id;
};
const lectureIds: number[] = [];
for (let number = 1; number <= 23; number++) {
  const id = await addLecture(`第 ${number} 号讲义`, number % 5 === 0 ? 3 : 0);
  lectureIds.push(id);
  await pool.query(
    `update documents set view_count = $2, keywords = '讲义,力学', favorite_count = 1,
       download_count = case when $2 = 30 then 9 when $2 = 70 then 7 else 0 end, recommend_at = case when $2 = 70 then now() end, created_at = now() - interval '1 day' * $3
     where id = $1`,
    [id, number * 10, 24 - number],
  );
}
for (const id of lectureIds) await waitForStatus(site, id, 2);

const documentItems = (page: Page) => page.getByRole('list', { name: '文档', exact: true }).getByRole('listitem');
const countItemsInFirstRow = (page: Page) =>
  documentItems(page).evaluateAll((items) => {
    const tops = items.map((item) => Math.round(item.getBoundingClientRect().top));
    return tops.filter((top) => top === tops[0]).length;
  });
async function expectBreadcrumbsAndMetadata(page: Page) {
  const breadcrumbs = page.getByRole('navigation', { name: '当前位置' });
  const breadcrumbPaths = ['/', '/category', `/category/${topCategoryId}`, `/category/${leafCategoryId}`];
  expect(
    await breadcrumbs
      .getByRole('link')
      .locator('visible=true')
      .evaluateAll((items) => items.map((item) => item.getAttribute('href'))),
  ).toEqual(breadcrumbPaths);
  const header = page.locator('main header');
  await header.getByText('推荐', { exact: true }).waitFor();
  await header.getByText(/^7\d 次阅读$/).waitFor();
  await header.getByText('7 次下载', { exact: true }).waitFor();
  await header.getByText('1 页', { exact: true }).waitFor();
}

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])(
  'on %s a category is filtered, sorted and paged by its URL, and going back restores the scroll position',
  async (_, device) => {
    const page = await visit(`/category/${leafCategoryId}`, device);
    await expect.poll(() => documentItems(page).count()).toBe(10);
    const sortNavigation = page.getByRole('navigation', { name: '排序' });
    for (const [name, sort, title] of [
      ['最新', 'latest', '第 23 号讲义'],
      ['推荐', 'recommend', '第 7 号讲义'],
      ['下载', 'download', '第 3 号讲义'],
      ['浏览', 'view', '第 23 号讲义'],
    ] as const) {
      await sortNavigation.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(new RegExp(`sort=${sort}`));
      await expect.poll(() => documentItems(page).first().textContent()).toContain(title);
      await expect.poll(() => sortNavigation.locator('[aria-current]').textContent()).toBe(name);
    }
    await page.getByRole('link', { name: '付费' }).click();
    await page.waitForURL(/fee_type=charge/);
    await expect.poll(() => documentItems(page).first().textContent()).toContain('第 20 号讲义');
    expect(await documentItems(page).count()).toBe(4);
    await page.getByRole('link', { name: '一周内' }).click();
    await expect.poll(() => documentItems(page).count()).toBe(1);
    await page.getByRole('link', { name: 'PDF', exact: true }).click();
    await page.getByText('没有符合条件的文档').waitFor();
    await page.getByRole('link', { name: '清除筛选' }).click();
    await page.getByRole('navigation', { name: '分页' }).getByText('2', { exact: true }).click();
    await page.waitForURL(/page=2/);
    await expect.poll(() => documentItems(page).first().textContent()).toContain('第 13 号讲义');
    await page.evaluate(() => window.scrollTo(0, 400));
    await page.getByRole('link', { name: '第 7 号讲义' }).click();
    await page.getByRole('heading', { name: '第 7 号讲义', level: 1 }).waitFor();
    await expectBreadcrumbsAndMetadata(page);
    await page.goBack();
    await expect.poll(() => documentItems(page).first().textContent()).toContain('第 13 号讲义');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
    expect(await countItemsInFirstRow(page)).toBe(1);
    await page.getByRole('link', { name: '封面', exact: true }).click();
    await page.waitForURL(/view=cover/);
    await expect.poll(() => countItemsInFirstRow(page)).toBe(device === desktop ? 5 : 2);
    expect(await findAxeProblems(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(device.viewport.width);
    await page.getByRole('link', { name: '列表', exact: true }).click();
    await expect.poll(() => countItemsInFirstRow(page)).toBe(1);
    await page.context().close();
  },
);

test('without JavaScript a category page shows its documents, filters and sibling categories', async () => {
  const page = await visit(`/category/${leafCategoryId}?sort=view&page=3`, {
    ...desktop,
    javaScriptEnabled: false,
    colorScheme: 'dark',
  });
  expect(await documentItems(page).count()).toBe(3);
  await page.getByRole('link', { name: '力学' }).waitFor();
  await page.getByRole('link', { name: '免费' }).click();
  await page.waitForURL('**?sort=view&fee_type=free');
  expect(await documentItems(page).first().textContent()).toContain('第 23 号讲义');
  const summary = page.locator('nav[aria-label="当前位置"] summary').first();
  await summary.click();
  await page.getByRole('link', { name: '教育考试' }).first().click();
  await page.getByRole('heading', { name: '教育考试', level: 1 }).waitFor();
});

test('the home page shows recommended documents and the newest documents of each category', async () => {
  for (const device of [desktop, phone]) {
    const page = await visit('/', { ...device, colorScheme: 'dark' });
    const covers = page.getByRole('list', { name: '最新推荐' }).getByRole('link');
    expect(await covers.count()).toBe(device === desktop ? 12 : 6);
    expect(await covers.first().textContent()).toContain('第 7 号讲义');
    await page.locator(`section[aria-labelledby="shelf-${topCategoryId}"]`).getByText('第 23 号讲义').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(device.viewport.width);
    await page.context().close();
  }
});

test('the home page shows the number of documents, the top sharers of the week and a feed link', async () => {
  const page = await visit('/');
  const statistics = page.getByLabel('站点统计');
  expect(await statistics.getByText('收录文档').locator('..').textContent()).toContain('23');
  const sharers = page.getByRole('region', { name: '本周分享达人' });
  expect(await sharers.getByRole('listitem').textContent()).toContain('23 篇文档');
  const feed = page.locator('link[type="application/atom+xml"]');
  const response = await fetch(address + (await feed.getAttribute('href')));
  expect(response.headers.get('content-type')).toContain('application/atom+xml');
  expect(await response.text()).toContain('第 23 号讲义');
  await sharers.getByRole('link').click();
  await page.waitForURL(`${address}/user/${author.id}`);
  await expect.poll(() => feed.getAttribute('href')).toBe(`/user/${author.id}/feed.atom`);
});

test('members see member-only documents in a category, and visitors see only the public documents of an author', async () => {
  const id = await addLecture('只给会员的讲义');
  await changeDocument(ctx, id, { visibility: 1 });
  await waitForStatus(site, id, 2);
  const member = await newAuthor(site);
  const page = await visitAs(member.headers, `/category/${leafCategoryId}`);
  await page.getByText('只给会员的讲义').first().waitFor();
  const visitor = await visit(`/user/${author.id}/document`);
  await expect.poll(() => documentItems(visitor).count()).toBe(15);
  expect(await visitor.getByText('只给会员的讲义').count()).toBe(0);
  expect(errors).toEqual([]);
});
