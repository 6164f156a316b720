import { expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { passwordPdf } from '#modules/conversion/encrypted-pdf.fixture.ts';
import {
  addDamagedDocument,
  addEncryptedDocument,
  makeEncryptedEpub,
} from '#modules/document/failed-document.fixture.ts';
import { isFocused } from './page-helpers.ts';
import { findAxeProblemsOnDesktopAndPhone } from './support/axe.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, visitAsAdministrator, ctx, errors } = site;

const PASSWORD = 'open-sesame';
const newEncryptedPdf = () => passwordPdf(PASSWORD, `Unlocked ${crypto.randomUUID().slice(0, 8)}`);

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('at %s an author unlocks an encrypted document after a wrong password and reads it', async (_, device) => {
  const author = await newAuthor(site);
  const id = await addEncryptedDocument(ctx, author, { bytes: newEncryptedPdf(), title: '加密的报告' });
  const page = await visitAs(author.headers, `/user/${author.id}/document`, device);
  await page.getByText('原因：文档已加密').waitFor();
  await page.getByRole('link', { name: '解锁或替换文件' }).click();
  const panel = page.getByRole('region', { name: '加密的文件' });
  await panel.getByText('密码只用一次，不会保存').waitFor();
  const field = panel.getByLabel('文档密码');
  await panel.getByRole('button', { name: '解锁' }).click();
  await panel.getByText('请输入文档密码').waitFor();
  await field.fill('not this one');
  await panel.getByRole('button', { name: '解锁' }).click();
  await panel.getByText('密码不正确').waitFor();
  expect(await field.inputValue()).toBe('not this one');
  expect(await isFocused(field)).toBe(true);
  await field.fill(PASSWORD);
  await field.press('Enter');
  await waitForText(page, '解锁成功');
  await panel.waitFor({ state: 'detached' });
  await waitForStatus(site, id, 2);
  await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test('the upload page links the author of an encrypted file to its password field', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload', phone);
  await page.getByLabel('文档分类').selectOption({ label: '教育考试' });
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: '合同.pdf', mimeType: 'application/pdf', buffer: newEncryptedPdf() });
  await page.getByRole('button', { name: '确定上传' }).click();
  await page.getByText('上传成功，转换失败：文档已加密').waitFor();
  await page.getByRole('link', { name: '解锁或替换文件' }).click();
  await page.getByLabel('文档密码').waitFor();
});

test('an author replaces an encrypted file whose format cannot be unlocked', async () => {
  const author = await newAuthor(site);
  const file = { bytes: makeEncryptedEpub(), ext: '.epub' };
  const id = await addEncryptedDocument(ctx, author, { title: '加密的讲稿', ...file });
  const page = await visitAs(author.headers, `/document/${id}`, phone);
  const panel = page.getByRole('region', { name: '加密的文件' });
  await panel.getByText('暂不支持解锁这种格式的文件，请去掉密码后替换文件').waitFor();
  expect(await panel.getByLabel('文档密码').count()).toBe(0);
  await panel.getByLabel('选择替换的文件').setInputFiles({
    name: '讲稿.exe',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('MZ'),
  });
  await panel.getByText('不支持的文档类型：.exe').waitFor();
  await panel.getByLabel('选择替换的文件').setInputFiles({
    name: '讲稿.pdf',
    mimeType: 'application/pdf',
    buffer: makePdf({ pages: 2 }),
  });
  await waitForText(page, '文件已替换');
  await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
  await page.getByRole('heading', { name: '加密的讲稿', level: 1 }).waitFor();
});

test('an author replaces a damaged file on its document page, and other users cannot', async () => {
  const author = await newAuthor(site);
  const id = await addDamagedDocument(ctx, author, { title: '损坏的报告' });
  const visitor = await visit(`/document/${id}`);
  await visitor.getByText('文档转换失败').waitFor();
  expect(await visitor.getByRole('button', { name: '替换文件' }).count()).toBe(0);
  const page = await visitAs(author.headers, `/document/${id}`, phone);
  const panel = page.getByRole('region', { name: '转换失败的文件' });
  await panel.getByText('修复或另存后替换文件').waitFor();
  expect(await panel.getByLabel('文档密码').count()).toBe(0);
  await panel
    .getByLabel('选择替换的文件')
    .setInputFiles({ name: '报告.pdf', mimeType: 'application/pdf', buffer: makePdf() });
  await waitForText(page, '文件已替换');
  await waitForStatus(site, id, 2);
  expect(errors).toEqual([]);
});

test('visitors and other users see that an encrypted document failed to convert, but no password field', async () => {
  const author = await newAuthor(site);
  const id = await addEncryptedDocument(ctx, author, { bytes: newEncryptedPdf() });
  const { headers } = await newAuthor(site);
  for (const page of [await visit(`/document/${id}`), await visitAs(headers, `/document/${id}`)]) {
    const response = page.waitForResponse(/\/document\/progress/);
    await page.reload();
    await response;
    await page.getByText('文档转换失败', { exact: true }).waitFor();
    expect(await page.getByLabel('文档密码').count()).toBe(0);
    expect(await page.getByRole('button', { name: '替换文件' }).count()).toBe(0);
  }
});

test('an administrator opens the password field of a document from the back-office list', async () => {
  const author = await newAuthor(site);
  await addEncryptedDocument(ctx, author, { bytes: newEncryptedPdf(), title: '别人的加密文档' });
  const page = await visitAsAdministrator(`/admin/document/list?user_id=${author.id}`);
  await page.getByRole('button', { name: '别人的加密文档 的更多操作' }).click();
  const nextTab = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: '解锁或替换文件' }).click();
  const documentPage = await nextTab;
  await documentPage.getByLabel('文档密码').fill(PASSWORD);
  await documentPage.getByRole('button', { name: '解锁' }).click();
  await waitForText(documentPage, '解锁成功');
});

test('the panel of an encrypted document has no serious accessibility problems', async () => {
  const author = await newAuthor(site);
  const id = await addEncryptedDocument(ctx, author, { bytes: newEncryptedPdf() });
  const page = await visitAs(author.headers, `/document/${id}`);
  await page.getByLabel('文档密码').waitFor();
  expect(await findAxeProblemsOnDesktopAndPhone(page)).toEqual([]);
});
