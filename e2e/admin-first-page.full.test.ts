import { expect, test } from 'vitest';
import { eventually } from './public-site.ts';
import { startSite } from './support/site.ts';

const { visitAs, visitAsAdministrator, as, errors } = await startSite();

test.each([
  ['RecycleAPI/ListRecycleDocument', '/admin/document', '/admin/document/recycle'],
  ['CategoryAPI/ListCategory', '/admin/document', '/admin/document/category'],
  ['DocumentAPI/ListDocument', '/admin/document/', '/admin/document/list'],
  ['UserAPI/ListUser', '/admin/user', '/admin/user/list'],
  ['GroupAPI/ListGroup', '/admin/user', '/admin/user/group'],
  ['PermissionAPI/ListPermission', '/admin/user/', '/admin/user/permission'],
])('with %s alone, %s opens %s', async (permission, path, first) => {
  const page = await visitAs(await as.userWith([permission]), path);
  await page.waitForURL(`**${first}`);
  await page.locator('.ant-menu-item-selected').getByRole('link').waitFor();
});

test('/admin/document and /admin/user open the first page of the menu for an administrator', async () => {
  const page = await visitAsAdministrator('/admin/document');
  await page.waitForURL('**/admin/document/category');
  await page.goto('/admin/user');
  await page.waitForURL('**/admin/user/list');
});

test('a button of the back-office regenerates the sitemap, for holders of the permission alone', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().endsWith('/api/v1/sitemap')),
    page.getByRole('button', { name: '更新站点地图' }).click(),
  ]);
  expect(request.method()).toBe('PUT');
  await page.getByText('更新成功，稍后生效').first().waitFor();
  const staff = await visitAs(await as.userWith(['BannerAPI/ListBanner']), '/admin/dashboard');
  await staff.getByText('横幅管理').waitFor();
  await eventually(() => staff.getByRole('button', { name: '更新站点地图' }).count()).toBe(0);
});

test('no page of the back-office threw an error', () => {
  expect(errors).toEqual([]);
});
