import { expect, test } from 'vitest';
import { rowsForTier } from '#testing/test-tier.ts';
import { waitForHydration } from './page-helpers.ts';
import { findAxeProblems } from './support/axe.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { FILE_INPUT_SELECTOR, filePayload, makeTextFile } from './support/upload.ts';
import { newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, errors } = site;

test.each(
  rowsForTier([
    ['1280 px', desktop],
    ['390 px', phone],
  ]),
)(
  'at %s uploaded files become documents, and unsupported, empty and duplicate files are named',
  async (width, device) => {
    const author = await newAuthor(site);
    const page = await visitAs(author.headers, '/upload', device);
    const words = `${width} ${crypto.randomUUID()}`;
    await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
    await page.setInputFiles(FILE_INPUT_SELECTOR, [
      filePayload('游记.txt', makeTextFile(words)),
      filePayload('程序.exe', Buffer.from('MZ')),
      filePayload('空白.pdf', Buffer.alloc(0)),
    ]);
    await page.getByText('程序.exe 不支持的文件格式，忽略该文件').waitFor();
    await page.getByText('空白.pdf 是空文件，忽略该文件').waitFor();
    await page.getByRole('button', { name: '确定上传' }).click();
    await page.getByLabel('文档分类').selectOption('1');
    await page.getByLabel('游记.txt 的标题').fill('江南游记');
    await waitForHydration(page);
    expect(await findAxeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: '确定上传' }).click();
    await page.getByText('可以阅读了').waitFor();
    await page.getByText('已完成 1 / 1，共 100%').waitFor();

    // Uploads the same content under another name.
    await page.setInputFiles(FILE_INPUT_SELECTOR, [filePayload('另一份.txt', makeTextFile(words))]);
    await page.getByRole('button', { name: '确定上传' }).click();
    const row = page.getByRole('listitem').filter({ hasText: '另一份' });
    await row.getByText('内容相同').waitFor();
    await row.getByRole('link', { name: '《江南游记》' }).waitFor();
    await page.getByRole('link', { name: '江南游记', exact: true }).click();
    await page.getByRole('heading', { name: '江南游记', level: 1 }).waitFor();
    await page.getByText('书中有正文').first().waitFor();
  },
);

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
