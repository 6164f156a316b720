import { afterAll, expect, test } from 'vitest';
import type { RenditionState } from '#modules/conversion/conversion.contract.ts';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addDocument, setConversionState } from '#modules/document/document.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { findAxeProblemsOnDesktopAndPhone } from './support/axe.ts';
import { phone, startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, visitAsAdministrator, ctx, pool, errors, address } = site;

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('an author sees the conversion progress of each document without a reload, and the reason of a failure', async () => {
  const author = await newAuthor(site);
  const brokenId = await author.addDocument('坏掉的文件', { isBroken: true });
  const { category_id } = author;
  const { id } = await addDocument(ctx, author, {
    title: '慢慢转换的文件',
    category_id,
    ext: '.pdf',
    bytes: makePdf({ pages: 12 }),
  });
  await waitForStatus(site, brokenId, 3);
  const { rendition_id } = (await pool.query('select rendition_id::int from documents where id = $1', [id])).rows[0];
  await waitForRendition(ctx, rendition_id);
  const setConversionProgress = (ready_pages: number, state: RenditionState) =>
    setConversionState(ctx, id, state, { pages: 12, ready_pages });
  await setConversionProgress(3, 'converting');
  const page = await visitAs(author.headers, `/user/${author.id}/document`);
  await page.getByText('转换中 3/12').waitFor();
  await page.getByText(/^原因：/).waitFor();
  const authorPhonePage = await visitAs(author.headers, `/document/${id}`, phone);
  const banner = authorPhonePage.locator('main').getByRole('status');
  await banner.getByText('文档正在转换，请稍候').waitFor();
  await setConversionProgress(9, 'readable');
  await page.getByText('可以阅读，其余页转换中 9/12').waitFor();
  await banner.getByText('可以阅读了，其余页面正在转换：9 / 12 页').waitFor();
  // The reader opens without a reload.
  await authorPhonePage.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
  await setConversionProgress(12, 'ready');
  await expect.poll(() => page.getByText('可以阅读').count()).toBe(0);
  await expect.poll(() => authorPhonePage.getByText('其余页面正在转换').count()).toBe(0);

  await authorPhonePage.goto(`/document/${brokenId}`);
  await authorPhonePage
    .getByRole('alert')
    .getByText(/^文档转换失败：.+/)
    .waitFor();
  const reason = (await authorPhonePage.getByRole('alert').textContent())?.replace('文档转换失败：', '') ?? '';
  const html = await (await fetch(`${address}/document/${brokenId}`)).text();
  expect(html).not.toContain(reason);
});

test('the page of a document lets administrators edit, delete and manage it, and lets readers report it from a phone', async () => {
  const author = await newAuthor(site);
  const id = await author.addDocument('众人看的文档');
  const relatedId = await author.addDocument('众人看的续篇');
  for (const documentId of [id, relatedId]) await waitForStatus(site, documentId, 2);
  const adminPage = await visitAsAdministrator(`/document/${id}`);
  await adminPage.getByRole('button', { name: '编辑', exact: true }).click();
  const form = adminPage.getByRole('dialog');
  await form.getByLabel('名称').fill('管理员改过的文档');
  await form.getByRole('button', { name: '保存' }).click();
  await adminPage.getByRole('heading', { name: '管理员改过的文档', level: 1 }).waitFor();
  await adminPage.getByRole('button', { name: '删除', exact: true }).waitFor();
  await adminPage.getByRole('link', { name: '管理', exact: true }).click();
  await adminPage.waitForURL('**/admin/document/list?wd=*');
  await adminPage.getByRole('row', { name: /管理员改过的文档/ }).waitFor();

  const reader = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  const page = await visitAs(reader.headers, `/document/${id}`, phone);
  expect(await page.getByRole('button', { name: /^(编辑|删除)$/ }).count()).toBe(0);
  expect(await page.getByRole('link', { name: '管理', exact: true }).count()).toBe(0);
  const relatedDocuments = page.getByRole('region', { name: '相关文档' });
  const relatedLink = relatedDocuments.getByRole('link', { name: '众人看的续篇' });
  expect(await relatedLink.getAttribute('href')).toBe(`/document/${relatedId}`);
  await page.getByRole('button', { name: '举报' }).click();
  const dialog = page.getByRole('dialog', { name: '举报文档' });
  await dialog.getByRole('button', { name: '提交' }).click();
  await dialog.getByText('请选择举报原因').waitFor();
  await dialog.getByLabel('敏感信息').check();
  const { x = -1, width = 999 } = (await dialog.boundingBox()) ?? {};
  expect(x >= 0 && x + width <= 390).toBe(true);
  await dialog.getByRole('button', { name: '提交' }).click();
  await page.getByText('提交成功').waitFor();
  const { rows } = await pool.query('select user_id::int from reports where document_id = $1', [id]);
  expect(rows).toEqual([{ user_id: reader.id }]);
});

test('the document list of an author has no serious accessibility problem on desktop or phone, in the light or dark theme', async () => {
  const author = await newAuthor(site);
  await waitForStatus(site, await author.addDocument('读得清的文档'), 2);
  const page = await visitAs(author.headers, `/user/${author.id}/document`);
  await page.getByRole('link', { name: '读得清的文档' }).waitFor();
  const problems = { list: await findAxeProblemsOnDesktopAndPhone(page), form: [] as string[] };
  await page.getByRole('button', { name: /^编辑/ }).click();
  await page.getByRole('dialog').waitFor();
  problems.form = await findAxeProblemsOnDesktopAndPhone(page);
  expect(problems).toEqual({ list: [], form: [] });
});

test('a logged-in user who opens a document that does not exist sees the 404 page', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/document/999999');
  await page.getByText('This page could not be found').waitFor();
  expect(await page.getByRole('status', { name: '正在加载' }).count()).toBe(0);
});
