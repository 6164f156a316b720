import sharp from 'sharp';
import { expect, test } from 'vitest';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { FILE_INPUT_SELECTOR, filePayload } from './support/upload.ts';
import { newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, errors } = site;

const drawPage = (background: string) =>
  sharp({ create: { width: 300, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer();

test.each([
  ['1280', desktop],
  ['390', phone],
])('at %s px several images are merged in a chosen order and read as one document', async (width, device) => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload', device);
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  const names = [`第10页-${width}.jpg`, `第2页-${width}.jpg`, `第1页-${width}.jpg`];
  const images = await Promise.all(['#1f6f4a', '#c8402f', '#2b62c9'].map(drawPage));
  await page.setInputFiles(
    FILE_INPUT_SELECTOR,
    images.map((bytes, index) => filePayload(names[index] ?? '', bytes)),
  );
  const offer = page.getByRole('button', { name: '合并为一个文档' });
  await offer.waitFor();
  await saveScreenshot(page, `merge-offer-${width}`);
  await offer.click();
  await page.getByRole('button', { name: `上移 ${names[1]}` }).click();
  const rows = page.getByRole('list', { name: '页序' }).getByRole('listitem');
  expect(await rows.allTextContents()).toEqual([`1${names[1]}`, `2${names[2]}`, `3${names[0]}`]);
  await page.getByLabel('合并后的标题').fill('会议照片');
  await saveScreenshot(page, `merge-form-${width}`);
  await page.getByRole('button', { name: '合并', exact: true }).click();
  await page.getByLabel('会议照片.cbz 的标题').waitFor();
  await page.getByLabel('文档分类').selectOption('1');
  await page.getByRole('button', { name: '确定上传' }).click();
  await page.getByText('已完成 1 / 1').waitFor();
  await saveScreenshot(page, `merge-sent-${width}`);
  await page.getByRole('link', { name: '会议照片' }).first().click();
  await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
  await saveScreenshot(page, `merge-reader-${width}`);
  expect(errors).toEqual([]);
});
