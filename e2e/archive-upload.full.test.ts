import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { documents } from '#modules/document/document.table.ts';
import { makeZipArchive } from '#modules/upload/archive/archive.fixture.ts';
import { eventually } from './page-helpers.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { FILE_INPUT_SELECTOR, filePayload } from './support/upload.ts';
import { newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, ctx, errors } = site;

/** The first category of a new site. */
const category = { id: 1, title: '教育考试' };

const archive = () =>
  makeZipArchive([
    { name: '说明.txt', body: `说明 ${crypto.randomUUID()}\n` },
    { name: `${category.title}/讲义.md`, body: `# 讲义\n\n${crypto.randomUUID()}\n` },
    { name: `${category.title}/录音.mp3`, body: 'ID3' },
    { name: '其他/旧资料.rar', body: 'Rar!' },
    { name: '其他/空白.txt', body: '' },
    { name: '其他/不要.txt', body: `不要 ${crypto.randomUUID()}` },
  ]);

async function openWithArchive(device: typeof desktop | typeof phone) {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload', device);
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  await page.setInputFiles(FILE_INPUT_SELECTOR, [filePayload('资料.zip', archive())]);
  await page.getByRole('button', { name: '解开并上传（3 个）' }).waitFor();
  return { author, page };
}

test.each([
  ['desktop', desktop],
  ['phone', phone],
])('the chosen documents of an archive are uploaded on %s, with the category of their folder', async (name, device) => {
  const { author, page } = await openWithArchive(device);
  await page.getByText('压缩包里的压缩包，请单独上传').waitFor();
  await page.getByText(`归入“${category.title}”`).waitFor();
  await page.getByRole('button', { name: '解开并上传（3 个）' }).scrollIntoViewIfNeeded();
  await saveScreenshot(page, `archive-chooser-${name}`);
  await page.getByLabel('不要.txt').uncheck();
  await page.getByRole('button', { name: '解开并上传（2 个）' }).click();
  await page.getByLabel('讲义.md 的标题').waitFor();
  await saveScreenshot(page, `archive-items-${name}`);
  await page.getByLabel('文档分类').selectOption(String(category.id));
  await page.getByRole('button', { name: '确定上传' }).click();
  await eventually(() => page.getByText('上传成功').count()).toBe(2);
  const rows = await ctx.db
    .select({ title: documents.title, ext: documents.ext })
    .from(documents)
    .where(eq(documents.user_id, author.id));
  expect(rows.map(({ title, ext }) => `${title}${ext}`).sort()).toEqual(['讲义.md', '说明.txt']);
  // Nothing of the archive is left on the server.
  await eventually(async () => (await Array.fromAsync(ctx.storage.list('incoming/'))).length).toBe(0);
});

test('an archive that was sent is offered again after a reload, and is deleted when it is removed', async () => {
  const { page } = await openWithArchive(desktop);
  await page.reload();
  await page.getByRole('button', { name: '解开并上传（3 个）' }).waitFor();
  await page.getByRole('button', { name: '移除 资料.zip' }).click();
  await eventually(async () => (await Array.fromAsync(ctx.storage.list('incoming/'))).length).toBe(0);
  await page.reload();
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  expect(await page.getByRole('button', { name: /解开并上传/ }).count()).toBe(0);
});

test('an archive that cannot be opened is reported with its reason', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload');
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  const encryptedArchive = makeZipArchive([{ name: 'a.txt', body: '甲', isEncrypted: true }]);
  await page.setInputFiles(FILE_INPUT_SELECTOR, [filePayload('加密.zip', encryptedArchive)]);
  await page.getByText('压缩包已加密，请在本机解开后上传').waitFor();
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
