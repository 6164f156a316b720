import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setConversionState } from '#modules/document/document.fixture.ts';
import { findAxeProblemsOnDesktopAndPhone } from './support/axe.ts';
import { waitForText } from './support/page.ts';
import { startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, visitAsAdministrator, ctx, pool, errors, as } = site;
const author = await newAuthor(site);

const findRow = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title) });
const chooseRowAction = async (page: Page, title: string, item: string) => {
  await page.getByRole('button', { name: `${title} 的更多操作` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
const selectRow = (page: Page, title: string) => findRow(page, title).getByRole('checkbox').check();

test('the document list shows the state of each document and updates its conversion progress without a reload', async () => {
  const brokenId = await author.addDocument('打不开的报告', { isBroken: true });
  await waitForStatus(site, brokenId, 3);
  const page = await visitAsAdministrator('/admin/document/list');
  await findRow(page, '打不开的报告').getByText('转换失败').waitFor();
  await findRow(page, '打不开的报告')
    .getByText(/文档已损坏|无法打开/)
    .waitFor();
  const id = await author.addDocument('正在路上的文稿');
  await waitForStatus(site, id, 2);
  // Simulates a worker that is converting the document.
  await setConversionState(ctx, id, 'converting', { pages: 48, ready_pages: 12 });
  await page.reload();
  await findRow(page, '正在路上的文稿').getByText('转换中 12/48 页').waitFor();
  await setConversionState(ctx, id, 'ready', { pages: 48, ready_pages: 48 });
  await findRow(page, '正在路上的文稿').getByText('已转换').waitFor();
});

test('the document list filters by keyword, status, type, recommendation and category', async () => {
  const id = await author.addDocument('天体力学引论');
  await waitForStatus(site, id, 2);
  const page = await visitAsAdministrator('/admin/document/list');
  await page.getByLabel('关键字').fill('天体');
  await page.getByLabel('关键字').press('Enter');
  await expect.poll(() => page.locator('.ant-table-row').count()).toBe(1);
  await page.goto('/admin/document/list?status=3');
  await findRow(page, '打不开的报告').waitFor();
  expect(await findRow(page, '天体力学引论').count()).toBe(0);
  await page.goto(`/admin/document/list?category_id=${author.category_id[1]}&ext=txt`);
  await findRow(page, '天体力学引论').waitFor();
  expect(await findRow(page, '打不开的报告').count()).toBe(0);
  await page.goto('/admin/document/list?is_recommend=true');
  await page.getByText('没有符合条件的文档').waitFor();
});

test('an administrator changes the name, price and category of a document', async () => {
  await author.addDocument('要修改的文档');
  const page = await visitAsAdministrator('/admin/document/list');
  await findRow(page, '要修改的文档').getByRole('button', { name: '编辑' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('名称').fill('');
  await form.getByRole('button', { name: '保存' }).click();
  await form.getByText('请输入文档名称').waitFor();
  await form.getByLabel('名称').fill('修改过的文档');
  await form.getByLabel('价格').fill('8');
  await form.getByLabel('分类', { exact: true }).click();
  await page.getByTitle('人文社科').first().click();
  await form.getByRole('button', { name: '保存' }).click();
  await waitForText(page, '更新成功');
  await findRow(page, '修改过的文档').getByText('人文社科').waitFor();
});

test('an administrator recommends, moves and rejects several documents together, and the author sees the reason', async () => {
  await author.addDocument('合集之一');
  await author.addDocument('合集之二');
  const page = await visitAsAdministrator('/admin/document/list?wd=合集');
  const selectBoth = async () => {
    await selectRow(page, '合集之一');
    await selectRow(page, '合集之二');
  };
  const recommend = async (buttonLabel: RegExp) => {
    await page.getByRole('button', { name: '批量推荐' }).click();
    await page.getByRole('menuitem', { name: '推荐', exact: true }).click();
    const confirmation = page.getByRole('dialog').filter({ hasText: '您确定要推荐选中的 2 篇文档吗' });
    await confirmation.getByRole('button', { name: buttonLabel }).click();
    await confirmation.waitFor({ state: 'hidden' });
  };
  await selectBoth();
  await recommend(/取\s*消/);
  const queryRecommended = () =>
    pool.query(`select id from documents where title like '合集%' and recommend_at is not null`);
  expect((await queryRecommended()).rowCount).toBe(0);
  // The cancelled dialog keeps the selection.
  await recommend(/确\s*定/);
  await waitForText(page, '操作成功');
  expect((await queryRecommended()).rowCount).toBe(2);
  await findRow(page, '合集之二').getByText('推荐').waitFor();

  await selectBoth();
  await page.getByRole('button', { name: '批量分类' }).click();
  await page.getByRole('dialog').getByLabel('分类').click();
  await page.getByTitle('医学健康').first().click();
  await page.getByRole('button', { name: '确定' }).click();
  await findRow(page, '合集之一').getByText('医学健康').waitFor();

  await selectBoth();
  await page.getByRole('button', { name: '批量审批' }).click();
  await page.getByRole('menuitem', { name: '审核拒绝' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await page.getByText('请填写原因').waitFor();
  await page.getByLabel('原因').fill('版权归属不明');
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '审批成功');
  await findRow(page, '合集之一').getByText('审核拒绝').waitFor();

  const authorPage = await visitAs(author.headers, `/user/${author.id}/document`);
  await authorPage.getByText('原因：版权归属不明').first().waitFor();
  const visitorPage = await visit(`/user/${author.id}/document`);
  await visitorPage.getByRole('link', { name: '天体力学引论' }).waitFor();
  expect(await visitorPage.getByText('合集之一').count()).toBe(0);
});

test('an administrator disables and enables a document, and requeues failed conversions', async () => {
  const id = await author.addDocument('时开时关');
  await waitForStatus(site, id, 2);
  const page = await visitAsAdministrator('/admin/document/list?wd=时开时关');
  await chooseRowAction(page, '时开时关', '禁用');
  await page.getByRole('button', { name: '确定' }).click();
  await findRow(page, '时开时关').getByText('已禁用').waitFor();
  await chooseRowAction(page, '时开时关', '启用');
  await page.getByRole('button', { name: '确定' }).click();
  await findRow(page, '时开时关').getByText('已转换').waitFor();
  await page.goto('/admin/document/list?wd=打不开');
  await selectRow(page, '打不开的报告');
  await page.getByRole('button', { name: '重新转换' }).click();
  await page.getByText('您确定要重新转换选中的 1 篇文档吗？').waitFor();
  await page.getByRole('button', { name: /取\s*消/ }).click();
  await findRow(page, '打不开的报告').getByRole('checkbox').uncheck();
  await page.getByRole('button', { name: '失败重转' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '已加入转换队列');
  // The conversion of the broken file fails again.
  await findRow(page, '打不开的报告').getByText('转换失败').waitFor();
});

test('an administrator restores a deleted document from the recycle bin and erases the others permanently', async () => {
  const id = await author.addDocument('去而复返');
  await author.addDocument('一去不返');
  const page = await visitAsAdministrator('/admin/document/list?wd=返');
  await selectRow(page, '去而复返');
  await selectRow(page, '一去不返');
  await page.getByRole('button', { name: '批量删除' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '删除成功');
  await page.goto('/admin/document/recycle');
  await findRow(page, '去而复返').getByText('admin').waitFor();
  await selectRow(page, '去而复返');
  await page.getByRole('button', { name: '恢复选中' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '恢复成功');
  await findRow(page, '去而复返').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '清空回收站' }).click();
  await page.getByText('不可恢复').waitFor();
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '回收站已清空');
  await page.getByText('回收站是空的').waitFor();
  const { rows } = await pool.query(`select id::int from documents where title like '%返'`);
  expect(rows).toEqual([{ id }]);
});

test('an attachment that is marked as illegal disables its document', async () => {
  const id = await author.addDocument('来路不正');
  const page = await visitAsAdministrator('/admin/attachment?type=2');
  await findRow(page, `文档 ${id}`).getByRole('button', { name: '编辑' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('名称').fill('可疑文件');
  await form.getByLabel('是否合法').click();
  await form.getByRole('button', { name: '保存' }).click();
  await waitForText(page, '修改成功');
  await findRow(page, '可疑文件').getByText('非法').waitFor();
  expect(await findRow(page, '可疑文件').getByRole('button', { name: '删除' }).isDisabled()).toBe(true);
  await waitForStatus(site, id, 4);
});

test('the conversion queue shows failed conversions and the number completed per minute, and redirects users without the permission', async () => {
  const page = await visitAsAdministrator('/admin/document/queue');
  await page.getByText('每分钟完成').waitFor();
  const failedSection = page.locator('section', { hasText: '转换失败' });
  await failedSection.getByText('打不开的报告').waitFor();
  await failedSection.getByRole('button', { name: '重新转换' }).first().click();
  await waitForText(page, '已加入转换队列');
  const clerkHeaders = await as.userWith(['RecycleAPI/ListRecycleDocument']);
  const clerkPage = await visitAs(clerkHeaders, '/admin/document/queue');
  await clerkPage.waitForURL('**/admin/dashboard');
});

test('the document pages of the back-office have no serious accessibility problem on desktop or phone, in the light or dark theme', async () => {
  const deletedId = await author.addDocument('给回收站看的');
  await pool.query('update documents set deleted_at = now() where id = $1', [deletedId]);
  const page = await visitAsAdministrator('/admin/dashboard');
  const problemsByPath: Record<string, string[]> = {};
  const screens = ['document/list', 'document/recycle', 'document/queue', 'attachment'];
  for (const path of screens) {
    await page.goto(`/admin/${path}`);
    await page.locator('.ant-table-row').first().waitFor();
    await page.locator('.ant-spin-spinning').waitFor({ state: 'detached' });
    problemsByPath[path] = [...new Set(await findAxeProblemsOnDesktopAndPhone(page))];
  }
  expect(problemsByPath).toEqual(Object.fromEntries(screens.map((path) => [path, []])));
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
