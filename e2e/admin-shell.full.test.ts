import { afterAll, expect, test } from 'vitest';
import { findDialogField, waitForText } from './support/page.ts';
import { desktop, startTestSite } from './support/site.ts';

const { visit, visitAsAdministrator, as, errors, address } = await startTestSite();

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('the dashboard warns that no mail is sent until a mail server is configured', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  const warning = page.getByRole('alert').filter({ hasText: '还没有配置邮件服务' });
  await warning.waitFor();
  await warning.getByRole('link', { name: '系统设置' }).click();
  await page.waitForURL('**/admin/config?tab=email');
  await page.getByLabel('是否启用邮件服务').click();
  await page.getByLabel('SMTP 服务器地址').fill('mail.example');
  await page.getByRole('button', { name: /提\s?交/ }).click();
  await waitForText(page, '配置更新成功');
  await page.goto('/admin/dashboard');
  await page.getByRole('region', { name: '数据统计' }).waitFor();
  expect(await warning.count()).toBe(0);
});

test('the dashboard shows the statistics of 30 days and links to the comments that await review', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  await page.getByRole('img', { name: /^新用户：最近 30 天共 \d+/ }).waitFor();
  await page.getByText('以表格查看').click();
  await page.getByRole('columnheader', { name: '签到' }).waitFor();
  await page.getByRole('region', { name: '服务器' }).getByText('磁盘').waitFor();
  await page.getByRole('link', { name: /待审核的评论/ }).click();
  await page.waitForURL('**/admin/comment?status=0');
});

test('a user with one permission sees only its menu group, and other admin pages redirect to the dashboard', async () => {
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

test('the side menu collapses below 1000 px and opens as a drawer', async () => {
  const page = await visitAsAdministrator('/admin/dashboard', desktop);
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.locator('.admin-sider').getByText('系统设置').waitFor();
  await page.setViewportSize({ width: 999, height: 800 });
  await expect.poll(() => page.locator('.admin-sider').count()).toBe(0);
  await page.getByRole('button', { name: '展开菜单' }).click();
  await page.getByRole('dialog').getByText('系统设置').click();
  await page.waitForURL('**/admin/config');
});

test('the logo of the back-office links to the home page', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  await page.getByRole('link', { name: '豆库' }).first().click();
  await page.waitForURL(`${address}/`);
});

test('the account menu of the back-office refuses a wrong old password, and logging out opens the home page with 退出成功', async () => {
  const page = await visitAsAdministrator('/admin/dashboard');
  const chooseMenuItem = async (item: string) => {
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await chooseMenuItem('个人资料');
  await page.getByRole('dialog').getByText('真实姓名').first().waitFor();
  await page.keyboard.press('Escape');
  await chooseMenuItem('修改密码');
  await findDialogField(page, '原密码').focus();
  await findDialogField(page, '新密码').focus();
  await page.getByText('请输入您的原密码').waitFor();
  await findDialogField(page, '原密码').fill('wrong-password');
  await findDialogField(page, '新密码').fill('new-password');
  await findDialogField(page, '确认密码').fill('different');
  await page.getByRole('dialog').getByRole('button', { name: '修改密码' }).click();
  await page.getByText('新密码和确认密码不一致').waitFor();
  await findDialogField(page, '确认密码').fill('new-password');
  await page.getByRole('dialog').getByRole('button', { name: '修改密码' }).click();
  await waitForText(page, '原密码不正确');
  await page.keyboard.press('Escape');
  await chooseMenuItem('退出登录');
  await waitForText(page, '退出成功');
  await page.waitForURL(`${address}/`);
});
