import { expect, test } from 'vitest';
import { eventually } from './page-helpers.ts';
import { startTestSite } from './support/site.ts';

const { visitAs, visitAsAdministrator, as, errors } = await startTestSite();

test.each([
  ['RecycleAPI/ListRecycleDocument', '/admin/document', '/admin/document/recycle'],
  ['CategoryAPI/ListCategory', '/admin/document', '/admin/document/category'],
  ['DocumentAPI/ListDocument', '/admin/document/', '/admin/document/list'],
  ['UserAPI/ListUser', '/admin/user', '/admin/user/list'],
  ['GroupAPI/ListGroup', '/admin/user', '/admin/user/group'],
  ['PermissionAPI/ListPermission', '/admin/user/', '/admin/user/permission'],
])('a user with only %s who opens %s is redirected to %s', async (permission, path, firstPage) => {
  const page = await visitAs(await as.userWith([permission]), path);
  await page.waitForURL(`**${firstPage}`);
  await page.locator('.ant-menu-item-selected').getByRole('link').waitFor();
});

test('/admin/document and /admin/user redirect an administrator to the first page of their menu group', async () => {
  const page = await visitAsAdministrator('/admin/document');
  await page.waitForURL('**/admin/document/category');
  await page.goto('/admin/user');
  await page.waitForURL('**/admin/user/list');
});

test('the dashboard regenerates the sitemap on request and hides the button from users without the permission', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  const [request] = await Promise.all([
    page.waitForRequest((apiRequest) => apiRequest.url().endsWith('/api/v1/sitemap')),
    page.getByRole('button', { name: '更新站点地图' }).click(),
  ]);
  expect(request.method()).toBe('PUT');
  await page.getByText('更新成功，稍后生效').first().waitFor();
  const staffPage = await visitAs(await as.userWith(['BannerAPI/ListBanner']), '/admin/dashboard');
  await staffPage.getByText('横幅管理').waitFor();
  await eventually(() => staffPage.getByRole('button', { name: '更新站点地图' }).count()).toBe(0);
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
