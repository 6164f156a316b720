import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findDialogField, waitForText } from './support/page.ts';
import { administrator, phone, startTestSite } from './support/site.ts';

const { visit, visitAs, visitAsAdministrator, errors, app, pool } = await startTestSite();

const findRow = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const save = (page: Page) => page.getByRole('button', { name: '保存' }).click();
async function loginAs(username: string, password: string) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/user/login',
    payload: { username, password },
  });
  return { status: response.statusCode, ...response.json() };
}
async function chooseRowAction(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `${name} 的更多操作` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('an administrator creates a user, changes the role and password, edits, exports, bans and unbans the user', async () => {
  const page = await visitAsAdministrator('/admin/user/list');
  await page.getByRole('button', { name: '新增用户' }).click();
  await save(page);
  await page.getByText('请输入用户名').waitFor();
  await findDialogField(page, '用户名').fill('书友甲乙');
  await findDialogField(page, '密码').fill('first-password');
  await save(page);
  await waitForText(page, '新增成功');
  expect((await loginAs('书友甲乙', 'first-password')).status).toBe(200);

  await findRow(page, '书友甲乙').getByRole('button', { name: '设置' }).click();
  await findDialogField(page, '密码').fill('second-password');
  await findDialogField(page, '角色').click();
  await page.getByTitle('内容审核员').click();
  await save(page);
  await waitForText(page, '修改成功');
  const { token, status } = await loginAs('书友甲乙', 'second-password');
  expect(status).toBe(200);
  const staffPage = await visitAs({ authorization: `Bearer ${token}` }, '/admin');
  await staffPage.getByRole('navigation', { name: '后台菜单' }).getByText('文档管理').waitFor();
  expect(await staffPage.getByText('系统设置').count()).toBe(0);

  await findRow(page, '书友甲乙').getByRole('button', { name: '编辑' }).click();
  await findDialogField(page, '联系邮箱').fill('friend@mail.example');
  await save(page);
  await findRow(page, 'friend@mail.example').waitFor();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出 CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('用户.csv');
  const [header, ...lines] = (await text(await file.createReadStream())).split('\r\n');
  expect(header).toMatch(/^\uFEFF?ID,用户名,角色,状态,禁用原因,/);
  expect(lines.filter((line) => /书友甲乙,[^,]*内容审核员[^,]*,正常,/.test(line))).toHaveLength(1);

  await chooseRowAction(page, '书友甲乙', '禁用');
  await page.getByLabel('原因').fill('测试禁用');
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '已禁用');
  expect(await loginAs('书友甲乙', 'second-password')).toMatchObject({
    status: 403,
    message: '账户已被禁用，原因：测试禁用',
  });
  await chooseRowAction(page, '书友甲乙', '解除禁用');
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '已解除禁用');
  expect((await loginAs('书友甲乙', 'second-password')).status).toBe(200);
});

test('an administrator adjusts credit with a reason, and deletes a user without documents after entering the administrator password', async () => {
  const page = await visitAsAdministrator('/admin/user/list');
  await page.getByRole('button', { name: '新增用户' }).click();
  await findDialogField(page, '用户名').fill('过客丙丁');
  await findDialogField(page, '密码').fill('first-password');
  await save(page);
  await findRow(page, '过客丙丁').waitFor();
  await chooseRowAction(page, '过客丙丁', '调整豆');
  await page.getByLabel('数量').fill('25');
  await page.getByLabel('原因').fill('活动奖励');
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '调整成功');
  await expect.poll(() => findRow(page, '过客丙丁').textContent()).toContain('25');
  await chooseRowAction(page, '过客丙丁', '删除');
  await page.getByLabel('您的登录密码').fill('not-mine-at-all');
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await waitForText(page, '密码错误');
  await page.getByLabel('您的登录密码').fill(administrator.password);
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await waitForText(page, '删除成功');
  await expect.poll(() => findRow(page, '过客丙丁').count()).toBe(0);
});

test('an administrator creates a role and grants permissions, and the audit log lists both', async () => {
  const page = await visitAsAdministrator('/admin/user/group');
  await page.getByRole('button', { name: '新增角色' }).click();
  await findDialogField(page, '名称').fill('友链编辑');
  await save(page);
  await waitForText(page, '新增成功');
  await findRow(page, '友链编辑').getByRole('button', { name: '授权' }).click();
  await page.getByRole('treeitem', { name: '友链管理' }).locator('.ant-tree-checkbox').click();
  await page.getByRole('button', { name: '提交' }).click();
  await waitForText(page, '设置成功');
  const { rows } = await pool.query(
    `select count(*)::int as count from role_permissions rp join roles r on r.id = rp.role_id where r.title = '友链编辑'`,
  );
  expect(rows[0].count).toBe(5);
  await page.goto('/admin/audit');
  await page
    .getByRole('row', { name: /友链编辑/ })
    .first()
    .waitFor();
});

test('a refused request names the changed title of its permission', async () => {
  const page = await visitAsAdministrator('/admin/user/permission?wd=友链');
  await findRow(page, '创建友链').getByRole('button', { name: '编辑' }).click();
  await findDialogField(page, '名称').fill('添加友情链接');
  await save(page);
  await waitForText(page, '修改成功');
  const { token } = await loginAs('书友甲乙', 'second-password');
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/friendlink',
    headers: { authorization: `Bearer ${token}` },
    payload: {},
  });
  expect(response.json().message).toBe('您没有权限访问【添加友情链接】');
});

test('the outbox shows a mail that is unsent because no mail server is configured', async () => {
  await app.inject({
    method: 'PUT',
    url: '/api/v1/config',
    headers: {
      authorization: `Bearer ${(await loginAs(administrator.username, administrator.password)).token}`,
    },
    payload: {
      config: [{ category: 'security', name: 'enable_captcha_find_password', value: 'false' }],
    },
  });
  await app.inject({
    method: 'POST',
    url: '/api/v1/user/findpassword/stepone',
    payload: { email: 'friend@mail.example' },
  });
  await expect.poll(async () => (await pool.query(`select status from mails where status = 'kept'`)).rowCount).toBe(1);
  const page = await visitAsAdministrator('/admin/mail', phone);
  await findRow(page, '未寄出').getByRole('button', { name: '查看' }).click();
  await page.getByText(/findpassword\?token=/).waitFor();
});

test('a visitor who opens the audit log is redirected to the home page', async () => {
  const page = await visit('/admin/audit');
  await page.waitForURL((url) => url.pathname === '/');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
