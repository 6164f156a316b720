import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addDocument } from '#modules/document/document.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { eventually } from './page-helpers.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { FILE_INPUT_SELECTOR } from './support/upload.ts';
import { newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, ctx, pool, errors } = site;

const makeUniqueText = (words: string) =>
  Buffer.from(`${words} ${crypto.randomUUID()}\n\n${'书中有正文，正文分段落。\n'.repeat(40)}`);
const newTextPayload = (name: string) => ({ name, mimeType: '', buffer: makeUniqueText(name) });

/** Opens the upload page as a new author and records its upload requests. */
async function visitUpload(device?: Parameters<typeof visitAs>[2]) {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload', device);
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (/\/upload\/|\/document$/.test(request.url())) requests.push(request);
  });
  const submit = async () => {
    await page.getByLabel('文档分类').selectOption('1');
    await page.getByRole('button', { name: '确定上传' }).click();
  };
  const countResumable = (method: string) =>
    requests.filter((request) => request.url().includes('/resumable') && request.method() === method).length;
  return { author, page, requests, countResumable, submit };
}

test('a user without upload permission sees a notice instead of the file input', async () => {
  const reader = await newMember(ctx);
  const page = await visitAs(reader.headers, '/upload');
  await page.getByText('如需上传，请联系管理员').waitFor();
  expect(await page.locator('input[type=file]').count()).toBe(0);
});

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('at %s the upload form focuses a missing or invalid field below the top bar', async (_, device) => {
  const { page } = await visitUpload(device);
  const names = Array.from({ length: 8 }, (_, index) => `第${index}卷.txt`);
  await page.setInputFiles(FILE_INPUT_SELECTOR, names.map(newTextPayload));
  const isFocused = (label: string) =>
    page.getByLabel(label).evaluate((field) => {
      const { top, bottom } = field.getBoundingClientRect();
      return field === document.activeElement && top >= 64 && bottom <= innerHeight;
    });
  const submit = page.getByRole('button', { name: '确定上传' });
  await submit.click();
  await page.getByRole('status').getByText('请选择文档分类').waitFor();
  await eventually(() => isFocused('文档分类')).toBe(true);
  await page.getByLabel('文档分类').selectOption('1');

  await page.getByLabel('第0卷.txt 的售价').fill('-5');
  await page.getByText('售价不正确，请输入 0 到 1000000 之间的整数').waitFor();
  await submit.click();
  await eventually(() => isFocused('第0卷.txt 的售价')).toBe(true);
  expect(await page.getByLabel('第0卷.txt 的售价').inputValue()).toBe('-5');
});

test('files are added by file input, drop and folder, each at the default price of that moment', async () => {
  const { author, page, submit } = await visitUpload();
  await page.setInputFiles(FILE_INPUT_SELECTOR, [newTextPayload('先选.txt')]);
  await page.getByLabel(/^默认售价/).fill('7');
  const dataTransfer = await page.evaluateHandle((words) => {
    const data = new DataTransfer();
    data.items.add(new File([words], '拖入.txt'));
    return data;
  }, makeUniqueText('拖入').toString());
  const dropZone = page.getByRole('region', { name: '选择文件' });
  await dropZone.dispatchEvent('dragover', { dataTransfer });
  await dropZone.dispatchEvent('drop', { dataTransfer });
  await page.getByLabel('拖入.txt 的标题').waitFor();
  const folder = page.locator('input[type=file][webkitdirectory]');
  expect(await page.getByText('选择文件夹').getAttribute('for')).toBe(await folder.getAttribute('id'));
  const path = await mkdtemp(join(tmpdir(), 'douku-folder-'));
  await mkdir(join(path, '里面'));
  await writeFile(join(path, '里面', '文件夹里.txt'), makeUniqueText('文件夹里'));
  await writeFile(join(path, '.DS_Store'), 'x');
  await folder.setInputFiles(path);
  await page.getByLabel('文件夹里.txt 的标题').waitFor();
  const prices = page.locator('input[aria-label$=售价]');
  expect(await prices.evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value))).toEqual([
    '0',
    '7',
    '7',
  ]);
  await submit();
  await page.getByText('已完成 3 / 3，共 100%').waitFor();
  const { rows } = await pool.query('select title, price::int from documents where user_id = $1 order by title', [
    author.id,
  ]);
  expect(rows).toEqual(
    expect.arrayContaining([
      { title: '先选', price: 0 },
      { title: '拖入', price: 7 },
      { title: '文件夹里', price: 7 },
    ]),
  );
  await rm(path, { recursive: true });
});

test('a paused upload resumes on demand, and an upload interrupted offline resumes by itself', async () => {
  const { page, countResumable, submit } = await visitUpload(phone);
  await page.route('**/upload/resumable/*', (route) =>
    route.request().method() === 'PATCH' ? undefined : route.continue(),
  );
  const waitForPatch = () => page.waitForRequest((request) => request.method() === 'PATCH');
  const [patchRequest] = await Promise.all([
    waitForPatch(),
    page.setInputFiles(FILE_INPUT_SELECTOR, [newTextPayload('歇一歇.txt')]),
  ]);
  expect(patchRequest.method()).toBe('PATCH');
  await submit();
  await page.getByRole('button', { name: '暂停 歇一歇' }).click();
  await page.getByText('已暂停').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: '继续 歇一歇' }).click();
  await page.getByText('已完成 1 / 1，共 100%').waitFor();
  // A second POST would mean that the upload started over.
  expect(countResumable('POST')).toBe(1);

  const context = page.context();
  await page.route('**/upload/resumable/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await context.setOffline(true);
    return route.abort('internetdisconnected');
  });
  const failedRequest = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await page.setInputFiles(FILE_INPUT_SELECTOR, [newTextPayload('断网.txt')]);
  await page.getByRole('button', { name: '确定上传' }).click();
  await failedRequest;
  expect(await page.evaluate(() => navigator.onLine)).toBe(false);
  await page.getByRole('button', { name: '暂停 断网' }).waitFor();
  await page.unrouteAll();
  await context.setOffline(false);
  await page.getByText('已完成 2 / 2，共 100%').waitFor();
  expect(countResumable('POST')).toBe(2);
});

test('a file that the site already stores is uploaded by sending only the proof of possession', async () => {
  const { author, page, requests, countResumable, submit } = await visitUpload();
  const padding = `%${crypto.randomUUID()}\n`.repeat(32_000);
  const bytes = Buffer.concat([makePdf(), Buffer.from(padding)]);
  expect(bytes.length).toBeGreaterThan(1024 * 1024);
  const firstAuthor = await newAuthor(site);
  const { category_id } = firstAuthor;
  await addDocument(ctx, firstAuthor, { title: '原件', category_id, bytes, ext: '.pdf' });
  await page.setInputFiles(FILE_INPUT_SELECTOR, [{ name: '秒传.pdf', mimeType: '', buffer: bytes }]);
  await submit();
  await page.getByText('站内已有相同文件，已秒传').waitFor();
  await page.getByText('已完成 1 / 1，共 100%').waitFor();
  expect([countResumable('POST'), countResumable('PATCH')]).toEqual([0, 0]);
  const sentBytes = requests.reduce((sum, request) => sum + (request.postDataBuffer()?.length ?? 0), 0);
  expect(sentBytes > 0 && sentBytes < 2_000).toBe(true);
  const { rowCount } = await pool.query('select 1 from documents where user_id = $1', [author.id]);
  expect(rowCount).toBe(1);
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
