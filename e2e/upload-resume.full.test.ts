import { afterAll, expect, test } from 'vitest';
import { eventually } from './page-helpers.ts';
import { startTestSite } from './support/site.ts';
import {
  countStoredUploads,
  createBlockedUploader,
  FILE_INPUT_SELECTOR,
  filePayload,
  makeTextFile,
  readStoredUploads,
} from './support/upload.ts';
import { newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, errors } = site;
const sendBlocked = createBlockedUploader(site);
const countDocuments = async (userId: number) => {
  const { rows } = await site.pool.query('select count(*)::int from documents where user_id = $1', [userId]);
  return rows[0].count as number;
};

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('rejected and finished files stay in the upload list after a reload', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload');
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  const html = '<!doctype html><html><body>网页</body></html>';
  await page.setInputFiles(FILE_INPUT_SELECTOR, [
    filePayload('网页一.pdf', Buffer.from(html)),
    filePayload('好书.txt', makeTextFile(crypto.randomUUID())),
    filePayload('网页二.pdf', Buffer.from(`${html} `)),
  ]);
  await page.getByText('售价（豆）', { exact: true }).waitFor();
  await page.getByLabel('文档分类').selectOption('1');
  await page.getByRole('button', { name: '确定上传' }).click();
  const rows = page.getByRole('region', { name: '上传列表' }).getByRole('listitem');
  const expectListAndReadTitles = async () => {
    await page.getByText('内容却是网页').nth(1).waitFor();
    await rows.nth(1).getByText('上传成功').waitFor();
    await rows.nth(1).getByRole('link', { name: '好书' }).waitFor();
    await page.getByText(/已完成 1 \/ 3，共 \d\d%，2 个失败/).waitFor();
    const titles = rows.locator('input[aria-label$=标题]');
    return Promise.all([titles.nth(0).inputValue(), titles.nth(1).inputValue()]);
  };
  expect(await expectListAndReadTitles()).toEqual(['网页一', '网页二']);

  const uploadUrls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/upload/')) uploadUrls.push(request.url());
  });
  await page.reload();
  expect(await expectListAndReadTitles()).toEqual(['网页一', '网页二']);
  expect(uploadUrls.filter((url) => url.includes('/api/'))).toEqual([]);
  const retryRequest = page.waitForRequest('**/upload/resumable');
  await page.getByRole('button', { name: '重试 网页一' }).click();
  await retryRequest;
  await page.getByRole('button', { name: '清除已完成' }).click();
  await page.getByText('已完成 0 / 2，共 0%').waitFor();
});

test('a document is created once when a reload follows a lost response to saving it', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload');
  page.on('dialog', (dialog) => dialog.accept());
  const documentSaved = Promise.withResolvers<void>();
  // The request reaches the server, but its response is lost.
  await page.route('**/api/v1/document', async (route) => {
    await route.fetch();
    documentSaved.resolve();
  });
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  await page.setInputFiles(FILE_INPUT_SELECTOR, [filePayload('一次.txt', makeTextFile(crypto.randomUUID()))]);
  await page.getByLabel('文档分类').selectOption('1');
  await page.getByRole('button', { name: '确定上传' }).click();
  await documentSaved.promise;
  await page.unrouteAll();
  await page.reload();
  await page.getByText('上传成功').waitFor();
  expect(await countDocuments(author.id)).toBe(1);
});

test('an upload resumes after a single 503 without starting over', async () => {
  const { author, page } = await sendBlocked(['稳妥.txt']);
  await page.unrouteAll();
  const startedUploads: string[] = [];
  let isFailing = true;
  await page.route('**/upload/resumable**', (route) => {
    const method = route.request().method();
    if (method === 'POST') startedUploads.push(method);
    if (method !== 'HEAD' || !isFailing) return route.continue();
    isFailing = false;
    return route.fulfill({ status: 503 });
  });
  await page.reload();
  await page.getByText('上传成功').waitFor();
  expect([isFailing, startedUploads, await countDocuments(author.id)]).toEqual([false, [], 1]);
});

test('all listed files resume once after a reload, also with a second tab open', async () => {
  const names = ['甲', '乙', '丙', '丁', '戊'];
  const { author, page } = await sendBlocked(names.map((name) => `${name}.txt`));
  const rows = page.getByRole('region', { name: '上传列表' }).getByRole('listitem');
  const secondTab = await page.context().newPage();
  await secondTab.goto(page.url());
  await secondTab.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  await page.unrouteAll();
  await page.reload();
  await page.getByText('已完成 5 / 5，共 100%').waitFor();
  expect(await rows.count()).toBe(5);
  expect(await secondTab.getByRole('listitem').filter({ hasText: '甲' }).count()).toBe(0);
  expect(await countDocuments(author.id)).toBe(5);
  await secondTab.close();
});

test('a sent file that is not submitted keeps its title, price and category after a reload, and is not sent again', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload');
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  await page.setInputFiles(FILE_INPUT_SELECTOR, [filePayload('草稿.txt', makeTextFile(crypto.randomUUID()))]);
  await page.getByText('待发布').waitFor();
  await page.getByLabel('草稿.txt 的标题').fill('定稿');
  await page.getByLabel('草稿.txt 的售价').fill('3');
  await page.getByLabel('文档分类').selectOption('1');
  await eventually(() => readStoredUploads(page)).toMatchObject({
    files: 1,
    rows: [{ title: '定稿', price: '3', categoryId: 1 }],
  });
  await page.reload();
  await page.getByText('待发布').waitFor();
  expect(await page.getByLabel('草稿.txt 的标题').inputValue()).toBe('定稿');
  expect(await page.getByLabel('草稿.txt 的售价').inputValue()).toBe('3');
  expect(await page.getByLabel('文档分类').inputValue()).toBe('1');
  expect(await countDocuments(author.id)).toBe(0);
  const resumableRequests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/upload/resumable')) resumableRequests.push(request.url());
  });
  await page.getByRole('button', { name: '确定上传' }).click();
  await page.getByText('上传成功').waitFor();
  await page.getByRole('link', { name: '定稿' }).waitFor();
  expect(resumableRequests).toEqual([]);
  expect(await countDocuments(author.id)).toBe(1);
});

test('leaving the upload page and returning creates one document', async () => {
  const { author, page } = await sendBlocked(['往返.txt']);
  await page.unrouteAll();
  await page.evaluate(() => history.pushState({}, '', '/'));
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  await page.getByLabel('文档分类').waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByText('上传成功').waitFor();
  await page.getByRole('link', { name: '往返' }).waitFor();
  expect(await countDocuments(author.id)).toBe(1);
});

test('a paused file stays paused after a reload, and removing it deletes the upload on the server', async () => {
  const { author, page } = await sendBlocked(['暂停.txt']);
  await page.getByRole('button', { name: '暂停 暂停' }).click();
  await page.getByText('已暂停').waitFor();
  await eventually(() => countStoredUploads(page)).toEqual({ files: 1, uploadUrls: 1, pausedUploads: 1 });
  await page.unrouteAll();
  await page.reload();
  await page.getByText('已暂停').waitFor();
  const countOpenUploads = async () =>
    (await site.pool.query('select id from uploads where user_id = $1', [author.id])).rowCount;
  expect(await countOpenUploads()).toBe(1);
  await page.getByRole('button', { name: '移除 暂停' }).click();
  await eventually(countOpenUploads).toBe(0);
  expect(await countDocuments(author.id)).toBe(0);
});

test('a file that expired on the server is uploaded again on retry', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload');
  await page.route('**/api/v1/document', (route) => route.abort());
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  await page.setInputFiles(FILE_INPUT_SELECTOR, [filePayload('过期.txt', makeTextFile(crypto.randomUUID()))]);
  await page.getByLabel('文档分类').selectOption('1');
  await page.getByRole('button', { name: '确定上传' }).click();
  const retry = page.getByRole('button', { name: '重试 过期' });
  await retry.waitFor();
  await site.pool.query('delete from attachments where user_id = $1', [author.id]);
  await page.unrouteAll();
  await retry.click();
  await page.getByText('文件已过期，请重新上传').waitFor();
  await retry.click();
  await page.getByText('上传成功').waitFor();
});
