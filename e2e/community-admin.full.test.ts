import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { newMember, newRole, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { findAxeProblems } from './support/axe.ts';
import { phone, startTestSite } from './support/site.ts';
import { createReadableDocumentFactory, newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, visitAsAdministrator, ctx, errors, address, pool } = site;
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');
const author = await newAuthor(site);
const newDocument = createReadableDocumentFactory(site, author);

test('a report that is handled in the back-office disables the document and notifies the reporter', async () => {
  const id = await newDocument('有问题的讲义');
  const reader = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  const page = await visitAs(reader.headers, `/document/${id}`);
  await page.getByRole('button', { name: '举报' }).click();
  await page.getByLabel('敏感信息').check();
  await page.getByLabel('补充说明').fill('第一页有手机号码');
  expect(await findAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: '提交' }).click();
  await page.getByText('提交成功').waitFor();
  await page.getByRole('button', { name: '举报' }).click();
  await page.getByText('您已举报过这篇文档').waitFor();

  const adminPage = await visitAsAdministrator('/admin/report?status=false');
  const reportRow = adminPage.getByRole('row', { name: /有问题的讲义/ });
  await reportRow.getByRole('button', { name: '处理' }).click();
  await adminPage.getByRole('radio', { name: '禁用文档' }).check();
  await adminPage.getByLabel('答复').fill('已核实');
  await adminPage
    .getByRole('button', { name: '确 定' })
    .or(adminPage.getByRole('button', { name: '确定' }))
    .click();
  await adminPage.getByText('更新成功').waitFor();
  await adminPage.getByText('没有举报').waitFor();
  expect(await findAxeProblems(adminPage)).toEqual([]);
  expect((await fetch(`${address}/document/${id}`)).status).toBe(404);
  await page.goto('/notification');
  await page.getByText('您举报的文档《有问题的讲义》已被禁用，感谢您的举报：已核实').waitFor();
});

test('a bulk deletion of comments skips rows selected on another page, and an emptied last page opens the page before', async () => {
  const id = await newDocument('评论很多的讲义');
  await pool.query(
    `insert into comments (document_id, user_id, content, status, published_at, created_at)
     select $1, $2, '编号 ' || n, 1, now(), now() from generate_series(1, 11) as n`,
    [id, author.id],
  );
  const adminPage = await visitAsAdministrator(`/admin/comment?document_id=${id}`);
  const findRow = (content: string) => adminPage.getByRole('row', { name: new RegExp(`${content}\\D`) });
  const deleteButton = adminPage.getByRole('button', { name: '批量删除' });
  await findRow('编号 11').getByRole('checkbox').check();
  await expect.poll(() => deleteButton.isEnabled()).toBe(true);
  await adminPage.getByRole('listitem', { name: '2' }).click();
  await findRow('编号 1').waitFor();
  await expect.poll(() => deleteButton.isDisabled()).toBe(true);
  await findRow('编号 1').getByRole('checkbox').check();
  await deleteButton.click();
  await adminPage.getByText('选中的 1 条评论').waitFor();
  await adminPage
    .getByRole('dialog')
    .getByRole('button', { name: /确\s*定/ })
    .click();
  await findRow('编号 11').waitFor();
  expect(adminPage.url()).not.toContain('page=2');
});

test('a moderator filters, approves, rejects, deletes and exports comments in the back-office', async () => {
  const id = await newDocument('待评的讲义');
  const moderatedMember = await newMember(ctx, [await newRole(ctx, [], { enable_comment_approval: true })]);
  const postComment = (content: string) =>
    fetch(`${address}/api/v1/comment`, {
      method: 'POST',
      headers: { ...moderatedMember.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ document_id: id, content }),
    });
  for (const number of ['一', '二', '三', '四']) await postComment(`第${number}条评论`);
  const adminPage = await visitAsAdministrator('/admin/comment?status=0');
  const findRow = (content: string) => adminPage.getByRole('row', { name: new RegExp(content) });
  await findRow('第一条评论').getByRole('button', { name: '通过' }).click();
  await adminPage.getByText('审批成功').first().waitFor();
  await findRow('第一条评论').waitFor({ state: 'detached' });
  await findRow('第四条评论').getByRole('checkbox').check();
  await adminPage.getByRole('button', { name: '批量审批' }).click();
  await adminPage.getByRole('menuitem', { name: '审核通过' }).click();
  await adminPage.getByText('选中的 1 条评论将审核通过，确定吗？').waitFor();
  await adminPage
    .getByRole('dialog')
    .getByRole('button', { name: /确\s*定/ })
    .click();
  await findRow('第四条评论').waitFor({ state: 'detached' });
  await findRow('第二条评论').getByRole('checkbox').check();
  await adminPage.getByRole('button', { name: '批量审批' }).click();
  await adminPage.getByRole('menuitem', { name: '审核拒绝' }).click();
  await adminPage.getByLabel('原因').fill('与文档无关');
  await adminPage
    .getByRole('dialog')
    .getByRole('button', { name: /确\s*定/ })
    .click();
  await findRow('第二条评论').waitFor({ state: 'detached' });
  await findRow('第三条评论').getByRole('button', { name: '删除' }).click();
  await adminPage
    .getByRole('dialog')
    .getByRole('button', { name: /确\s*定/ })
    .click();
  await adminPage.getByText('没有符合条件的评论').waitFor();
  expect(await findAxeProblems(adminPage)).toEqual([]);
  await adminPage.goto('/admin/comment?wd=第二条');
  await findRow('第二条评论').getByText('审核拒绝').waitFor();
  const download = adminPage.waitForEvent('download');
  await adminPage.getByRole('button', { name: '导出 CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('评论.csv');
  const csv = await text(await file.createReadStream());
  expect(csv).toContain('审核拒绝,与文档无关');
  expect(csv).not.toContain('第一条评论');
  const readerPage = await visit(`/document/${id}?comment=1`);
  await readerPage.getByRole('list', { name: '评论' }).getByText('第一条评论').waitFor();
  await readerPage.getByRole('list', { name: '评论' }).getByText('第四条评论').waitFor();
  expect(await readerPage.getByText('第二条评论').count()).toBe(0);
  const memberPage = await visitAs(moderatedMember.headers, '/notification', phone);
  await memberPage.getByText(/“第二条评论”没有通过审核：与文档无关/).waitFor();
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
