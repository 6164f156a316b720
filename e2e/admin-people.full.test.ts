import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dialogField } from './support/page.ts';
import { administrator, phone, startSite } from './support/site.ts';

const { visit, visitAs, visitAsAdministrator, errors, app, pool } = await startSite();

const told = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor();
const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const save = (page: Page) => page.getByRole('button', { name: '保存' }).click();
async function loginAs(username: string, password: string) {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/user/login',
    payload: { username, password },
  });
  return { status: answer.statusCode, ...answer.json() };
}
async function menu(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `${name} 的更多操作` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a user is created, given another role and password, edited, exported, banned, and let in again', async () => {
  const page = await visitAsAdministrator('/admin/user/list');
  await page.getByRole('button', { name: '新增用户' }).click();
  await save(page);
  await page.getByText('请输入用户名').waitFor();
  await dialogField(page, '用户名').fill('书友甲乙');
  await dialogField(page, '密码').fill('first-password');
  await save(page);
  await told(page, '新增成功');
  expect((await loginAs('书友甲乙', 'first-password')).status).toBe(200);

  await rowOf(page, '书友甲乙').getByRole('button', { name: '设置' }).click();
  await dialogField(page, '密码').fill('second-password');
  await dialogField(page, '角色').click();
  await page.getByTitle('内容审核员').click();
  await save(page);
  await told(page, '修改成功');
  const { token, status } = await loginAs('书友甲乙', 'second-password');
  expect(status).toBe(200);
  const staff = await visitAs({ authorization: `Bearer ${token}` }, '/admin');
  await staff.getByRole('navigation', { name: '后台菜单' }).getByText('文档管理').waitFor();
  expect(await staff.getByText('系统设置').count()).toBe(0);

  await rowOf(page, '书友甲乙').getByRole('button', { name: '编辑' }).click();
  await dialogField(page, '联系邮箱').fill('friend@mail.example');
  await save(page);
  await rowOf(page, 'friend@mail.example').waitFor();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出 CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('用户.csv');
  const [header, ...lines] = (await text(await file.createReadStream())).split('\r\n');
  expect(header).toMatch(/^\uFEFF?ID,用户名,角色,状态,禁用原因,/);
  expect(lines.filter((line) => /书友甲乙,[^,]*内容审核员[^,]*,正常,/.test(line))).toHaveLength(1);

  await menu(page, '书友甲乙', '禁用');
  await page.getByLabel('原因').fill('测试禁用');
  await page.getByRole('button', { name: '确定' }).click();
  await told(page, '已禁用');
  expect(await loginAs('书友甲乙', 'second-password')).toMatchObject({
    status: 403,
    message: '账户已被禁用，原因：测试禁用',
  });
  await menu(page, '书友甲乙', '解除禁用');
  await page.getByRole('button', { name: '确定' }).click();
  await told(page, '已解除禁用');
  expect((await loginAs('书友甲乙', 'second-password')).status).toBe(200);
});

test('beans are adjusted with a reason, and a user without documents is deleted with the own password', async () => {
  const page = await visitAsAdministrator('/admin/user/list');
  await page.getByRole('button', { name: '新增用户' }).click();
  await dialogField(page, '用户名').fill('过客丙丁');
  await dialogField(page, '密码').fill('first-password');
  await save(page);
  await rowOf(page, '过客丙丁').waitFor();
  await menu(page, '过客丙丁', '调整豆');
  await page.getByLabel('数量').fill('25');
  await page.getByLabel('原因').fill('活动奖励');
  await page.getByRole('button', { name: '确定' }).click();
  await told(page, '调整成功');
  await expect.poll(() => rowOf(page, '过客丙丁').textContent()).toContain('25');
  await menu(page, '过客丙丁', '删除');
  await page.getByLabel('您的登录密码').fill('not-mine-at-all');
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await told(page, '密码错误');
  await page.getByLabel('您的登录密码').fill(administrator.password);
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await told(page, '删除成功');
  await expect.poll(() => rowOf(page, '过客丙丁').count()).toBe(0);
});

test('a role is created and granted, and what was done stands in the operation log', async () => {
  const page = await visitAsAdministrator('/admin/user/group');
  await page.getByRole('button', { name: '新增角色' }).click();
  await dialogField(page, '名称').fill('友链编辑');
  await save(page);
  await told(page, '新增成功');
  await rowOf(page, '友链编辑').getByRole('button', { name: '授权' }).click();
  await page.getByRole('treeitem', { name: '友链管理' }).locator('.ant-tree-checkbox').click();
  await page.getByRole('button', { name: '提交' }).click();
  await told(page, '设置成功');
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

test('a permission gets another title, and a refusal uses it', async () => {
  const page = await visitAsAdministrator('/admin/user/permission?wd=友链');
  await rowOf(page, '创建友链').getByRole('button', { name: '编辑' }).click();
  await dialogField(page, '名称').fill('添加友情链接');
  await save(page);
  await told(page, '修改成功');
  const { token } = await loginAs('书友甲乙', 'second-password');
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/friendlink',
    headers: { authorization: `Bearer ${token}` },
    payload: {},
  });
  expect(answer.json().message).toBe('您没有权限访问【添加友情链接】');
});

test('the outbox shows a mail that could not be sent anywhere', async () => {
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
  await rowOf(page, '未寄出').getByRole('button', { name: '查看' }).click();
  await page.getByText(/findpassword\?token=/).waitFor();
});

test('a visitor never reaches these pages', async () => {
  const page = await visit('/admin/audit');
  await page.waitForURL((url) => url.pathname === '/');
});

test('no page threw an error', () => {
  expect(errors).toEqual([]);
});
