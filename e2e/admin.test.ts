import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { firstOrAll } from '#testing/tier.ts';
import { eventually } from './public-site.ts';
import { desk, startSite } from './support/site.ts';

const { visit, visitAs, visitAsAdministrator, as, errors, address } = await startSite();

const toastOf = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).first().waitFor();
const field = (page: Page, label: string) =>
  page.getByRole('dialog').getByLabel(label, { exact: true });
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#23694a' } })
    .png()
    .toBuffer();

test('a visitor and a user without any of its pages who open the back-office are sent home and told why', async () => {
  const page = await visit('/admin/config');
  await page.waitForURL(`${address}/`);
  await toastOf(page, '请先登录，再打开管理后台');
  const user = await visitAs(await as.user(), '/admin');
  await user.waitForURL(`${address}/`);
  await toastOf(user, '您的账号不能打开管理后台');
  expect(await user.getByText('请先登录').count()).toBe(0);
});

test('the administrator finds every group of the menu, in the order of the specification', async () => {
  const page = await visitAsAdministrator('/admin');
  await page.waitForURL('**/admin/dashboard');
  const menu = page.getByRole('navigation', { name: '后台菜单' });
  await menu.getByText('系统设置').waitFor();
  const labels = await menu
    .locator('.ant-menu-root > li')
    .evaluateAll((items) =>
      items.map((item) => item.querySelector('.ant-menu-title-content')?.textContent),
    );
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
  const siderWidth = () =>
    page.locator('.admin-sider').evaluate((sider) => sider.getBoundingClientRect().width);
  await eventually(siderWidth).toBe(240);
  await page.getByRole('button', { name: '收起菜单' }).click();
  await eventually(siderWidth).toBeLessThan(2);
  await page.getByRole('button', { name: '展开菜单' }).click();
  await eventually(siderWidth).toBe(240);
});

test('the panel warns that mails reach nobody until a mail server is named', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  const warning = page.getByRole('alert').filter({ hasText: '还没有配置邮件服务' });
  await warning.waitFor();
  await warning.getByRole('link', { name: '系统设置' }).click();
  await page.waitForURL('**/admin/config?tab=email');
  await page.getByLabel('是否启用邮件服务').click();
  await page.getByLabel('SMTP 服务器地址').fill('mail.example');
  await page.getByRole('button', { name: /提\s?交/ }).click();
  await toastOf(page, '配置更新成功');
  await page.goto('/admin/dashboard');
  await page.getByRole('region', { name: '数据统计' }).waitFor();
  expect(await warning.count()).toBe(0);
});

test('the panel shows how thirty days went and leads to what waits', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  await page.getByRole('img', { name: /^新用户：最近 30 天共 \d+/ }).waitFor();
  await page.getByText('以表格查看').click();
  await page.getByRole('columnheader', { name: '签到' }).waitFor();
  await page.getByRole('region', { name: '服务器' }).getByText('磁盘').waitFor();
  await page.getByRole('link', { name: /待审核的评论/ }).click();
  await page.waitForURL('**/admin/comment?status=0');
});

test('somebody with one permission sees its group alone, and other pages lead back to the panel', async () => {
  const { authorization = '' } = await as.userWith(['FriendlinkAPI/ListFriendlink']);
  const token = authorization.replace('Bearer ', '');
  const page = await visit('/');
  await page.evaluate((token) => {
    const user = { id: 99, username: 'staff' };
    const state = { user, token, permissions: [], pages: [] };
    localStorage.setItem('douku:user', JSON.stringify({ state, version: 0 }));
  }, token);
  await page.goto('/admin/config');
  await page.waitForURL('**/admin/dashboard');
  const items = page.locator('.ant-menu-root > li');
  await page.getByText('友链管理').waitFor();
  expect(await items.count()).toBe(2);
  await page.goto('/admin/friendlink/');
  await page.getByRole('heading', { name: '友链管理' }).waitFor();
});

test('the side menu folds away below 1000 px and opens as a drawer', async () => {
  const page = await visitAsAdministrator('/admin/dashboard', desk);
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.locator('.admin-sider').getByText('系统设置').waitFor();
  await page.setViewportSize({ width: 999, height: 800 });
  await expect.poll(() => page.locator('.admin-sider').count()).toBe(0);
  await page.getByRole('button', { name: '展开菜单' }).click();
  await page.getByRole('dialog').getByText('系统设置').click();
  await page.waitForURL('**/admin/config');
});

test('the logo of the back-office leads home', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  await page.getByRole('link', { name: '豆库' }).first().click();
  await page.waitForURL(`${address}/`);
});

test('the account menu changes the password, and logging out returns home with 退出成功', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  const open = async (item: string) => {
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await open('个人资料');
  await page.getByRole('dialog').getByText('真实姓名').first().waitFor();
  await page.keyboard.press('Escape');
  await open('修改密码');
  await field(page, '原密码').focus();
  await field(page, '新密码').focus();
  await page.getByText('请输入您的原密码').waitFor();
  await field(page, '原密码').fill('wrong-password');
  await field(page, '新密码').fill('new-password');
  await field(page, '确认密码').fill('different');
  await page.getByRole('dialog').getByRole('button', { name: '修改密码' }).click();
  await page.getByText('新密码和确认密码不一致').waitFor();
  await field(page, '确认密码').fill('new-password');
  await page.getByRole('dialog').getByRole('button', { name: '修改密码' }).click();
  await toastOf(page, '原密码不正确');
  await page.keyboard.press('Escape');
  await open('退出登录');
  await toastOf(page, '退出成功');
  await page.waitForURL(`${address}/`);
});

test('a friend link is added, edited and removed, and visitors see it on the home page', async () => {
  const page = await visitAsAdministrator('/admin/friendlink');
  await page.getByRole('button', { name: '新增友链' }).click();
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('请输入名称').waitFor();
  await field(page, '名称').fill('开放书库');
  await field(page, '地址').fill('https://books.example/');
  await page.getByRole('button', { name: '保存' }).click();
  await toastOf(page, '新增成功');
  const visitor = await visit('/');
  const link = visitor.getByRole('link', { name: '开放书库' });
  expect(await link.getAttribute('target')).toBe('_blank');
  await page.getByRole('button', { name: '编辑' }).click();
  await field(page, '名称').fill('公开书库');
  await page.getByRole('button', { name: '保存' }).click();
  await toastOf(page, '修改成功');
  await page.getByRole('button', { name: '删除', exact: true }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await toastOf(page, '删除成功');
});

test('categories are added by lines, and a disabled parent disappears with its children', async () => {
  const page = await visitAsAdministrator('/admin/document/category');
  await page.getByRole('button', { name: '新增分类' }).click();
  await field(page, '名称').fill('天文\n\n地理\n天文');
  await page.getByRole('button', { name: '保存' }).click();
  await toastOf(page, '新增成功');
  await page.getByRole('row', { name: /天文/ }).getByRole('button', { name: '加下级' }).click();
  await field(page, '名称').fill('星图');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByRole('row', { name: /星图/ }).waitFor();
  await page.getByRole('switch', { name: '启用 天文' }).click();
  await toastOf(page, '修改成功');
  const visitor = await visit('/category');
  await visitor.getByText('地理').first().waitFor();
  expect(await visitor.getByText('星图').count()).toBe(0);
  expect(await visitor.getByText('天文').count()).toBe(0);
});

test('a banner is uploaded and shown', async () => {
  const page = await visitAsAdministrator('/admin/banner');
  await page.getByRole('button', { name: '新增横幅' }).click();
  await page.getByLabel('上传横幅图片').setInputFiles({
    name: 'banner.png',
    mimeType: 'image/png',
    buffer: await picture(1200, 420),
  });
  await page.getByRole('img', { name: '横幅图片' }).waitFor();
  await field(page, '名称').fill('开馆');
  await page.getByRole('button', { name: '保存' }).click();
  await toastOf(page, '新增成功');
  const image = page.getByRole('img', { name: '开馆' });
  await expect
    .poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth))
    .toBeGreaterThan(0);
});

test('a single page is written in the editor and read by visitors', async () => {
  const page = await visitAsAdministrator('/admin/article');
  await page.getByRole('button', { name: '新增单页' }).click();
  await field(page, '标题').fill('开放时间');
  await field(page, '标识').fill('hours');
  const editor = page.locator('.admin-editor');
  await editor.click();
  await page.keyboard.type('每天开放');
  await page.getByRole('button', { name: '保存' }).click();
  await toastOf(page, '新增成功');
  const visitor = await visit('/article/hours');
  await visitor.getByText('每天开放').waitFor();
  await page.getByRole('row', { name: /hours/ }).getByRole('button', { name: '编辑' }).click();
  await page.locator('.admin-editor').getByText('每天开放').waitFor();
});

test('a setting changed in the back-office shows to visitors at once', async () => {
  const page = await visitAsAdministrator('/admin/config');
  await page.getByLabel('网站名称').fill('云上书房');
  await page.getByRole('button', { name: '提交' }).first().click();
  await toastOf(page, '配置更新成功');
  const visitor = await visit('/article/help');
  expect(await visitor.title()).toBe('使用帮助 - 云上书房');
});

const lists = [
  ...['document/list', 'document/recycle', 'document/category', 'comment', 'report', 'attachment'],
  ...['user/list', 'user/group', 'user/permission', 'banner', 'article', 'friendlink', 'audit'],
  ...['mail', 'document/searchrecord'],
];
test.each(firstOrAll(lists))('the list %s is ordered by each of its columns', async (name) => {
  const page = await visitAsAdministrator(`/admin/${name}`);
  const headers = page.locator('th.ant-table-column-has-sorters');
  await headers.first().waitFor();
  for (const title of await headers.allTextContents()) {
    const answered = page.waitForResponse((response) => response.url().includes('order='));
    await headers.filter({ hasText: title }).first().dispatchEvent('click');
    expect([title, (await answered).status()]).toEqual([title, 200]);
  }
});

test('a list shows after a reload by what it is ordered', async () => {
  const page = await visitAsAdministrator('/admin/document/searchrecord');
  await page.locator('th.ant-table-column-has-sorters').filter({ hasText: '时间' }).click();
  const ascending = page.locator('th[aria-sort="ascending"]');
  await expect.poll(() => ascending.textContent()).toBe('时间');
  await page.waitForURL(/order=/);
  await page.reload();
  await expect.poll(() => ascending.textContent()).toBe('时间');
});

test('no page of the back-office threw an error', () => {
  expect(errors).toEqual([]);
});
