import { expect, test } from 'vitest';
import { eventually } from './page-helpers.ts';
import { startTestSite } from './support/site.ts';

const { visitAs, visitAsAdministrator, as, errors } = await startTestSite();

test.each([
  ['/admin', '/admin/dashboard', '面板'],
  ['/admin/index', '/admin/dashboard', '面板'],
  ['/admin/dashboard', '/admin/dashboard', '面板'],
  ['/admin/article', '/admin/article', '单页管理'],
  ['/admin/attachment', '/admin/attachment', '附件管理'],
  ['/admin/banner', '/admin/banner', '横幅管理'],
  ['/admin/comment', '/admin/comment', '评论管理'],
  ['/admin/config', '/admin/config', '系统设置'],
  ['/admin/friendlink', '/admin/friendlink', '友链管理'],
  ['/admin/report', '/admin/report', '举报管理'],
  ['/admin/document', '/admin/document/category', '分类管理'],
  ['/admin/document/category', '/admin/document/category', '分类管理'],
  ['/admin/document/list', '/admin/document/list', '文档列表'],
  ['/admin/document/recycle', '/admin/document/recycle', '回收站'],
  ['/admin/user', '/admin/user/list', '用户管理'],
  ['/admin/user/group', '/admin/user/group', '角色管理'],
  ['/admin/user/list', '/admin/user/list', '用户管理'],
  ['/admin/user/permission', '/admin/user/permission', '权限管理'],
])('%s opens %s with the title %s for the administrator', async (route, path, title) => {
  const page = await visitAsAdministrator(route);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await eventually(() => new URL(page.url()).pathname).toBe(path);
});

test.each(['/admin/index', '/admin/dashboard'])(
  '%s opens for an administrator with a single permission of another page',
  async (route) => {
    const page = await visitAs(await as.userWith(['BannerAPI/ListBanner']), route);
    await page.getByRole('heading', { name: '面板', level: 1 }).waitFor();
    await page.getByRole('link', { name: '横幅管理' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/dashboard');
  },
);

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
