import { expect, test } from 'vitest';
import { eventually } from './page-helpers.ts';
import { startTestSite } from './support/site.ts';
import { waitForToast } from './support/toasts.ts';

const { visit, visitAs, visitAsAdministrator, as, errors, address } = await startTestSite();

test('the back-office redirects visitors and users without permissions to the home page and shows the reason', async () => {
  const page = await visit('/admin/config');
  await page.waitForURL(`${address}/`);
  await waitForToast(page, '请先登录，再打开管理后台');
  const userPage = await visitAs(await as.user(), '/admin');
  await userPage.waitForURL(`${address}/`);
  await waitForToast(userPage, '您的账号不能打开管理后台');
  expect(await userPage.getByText('请先登录').count()).toBe(0);
});

test('the side menu shows an administrator every group, in the order of the specification', async () => {
  const page = await visitAsAdministrator('/admin');
  await page.waitForURL('**/admin/dashboard');
  const menu = page.getByRole('navigation', { name: '后台菜单' });
  await menu.getByText('系统设置').waitFor();
  const labels = await menu
    .locator('.ant-menu-root > li')
    .evaluateAll((items) => items.map((item) => item.querySelector('.ant-menu-title-content')?.textContent));
  expect(labels).toEqual([
    '面板',
    '文档管理',
    '用户管理',
    '横幅管理',
    '单页管理',
    '友链管理',
    '评论管理',
    '举报管理',
    '附件管理',
    '系统设置',
    '操作记录',
    '发件箱',
  ]);
  const measureSider = () => page.locator('.admin-sider').evaluate((sider) => sider.getBoundingClientRect().width);
  await eventually(measureSider).toBe(240);
  await page.getByRole('button', { name: '收起菜单' }).click();
  await eventually(measureSider).toBeLessThan(2);
  await page.getByRole('button', { name: '展开菜单' }).click();
  await eventually(measureSider).toBe(240);
});

const lists = [
  ...['document/list', 'document/recycle', 'document/category', 'comment', 'report', 'attachment'],
  ...['user/list', 'user/group', 'user/permission', 'banner', 'article', 'friendlink', 'audit'],
  ...['mail', 'document/searchrecord'],
];
test.each(lists)('the admin list %s can be sorted by each sortable column', async (name) => {
  const page = await visitAsAdministrator(`/admin/${name}`);
  const headers = page.locator('th.ant-table-column-has-sorters');
  await headers.first().waitFor();
  for (const title of await headers.allTextContents()) {
    const responsePromise = page.waitForResponse((response) => response.url().includes('order='));
    await headers.filter({ hasText: title }).first().dispatchEvent('click');
    expect([title, (await responsePromise).status()]).toEqual([title, 200]);
  }
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
