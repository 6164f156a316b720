import { expect, test } from 'vitest';
import { startTestSite } from './support/site.ts';
import { createBlockedUploader } from './support/upload.ts';

const site = await startTestSite();
const { visit, errors } = site;

const sendBlocked = createBlockedUploader(site);

test('the upload page asks a visitor to log in and sets a redirect back to it', async () => {
  const page = await visit('/upload');
  await page.getByText('您未登录，请先登录').waitFor();
  await page.getByRole('main').getByRole('link', { name: '登录' }).click();
  await page.waitForURL('**/login?redirect=%2Fupload');
});

test('an interrupted upload resumes after a reload', async () => {
  const { page } = await sendBlocked(['断点.txt']);
  await page.unrouteAll();
  await page.reload();
  await page.getByText('上传成功').waitFor();
  await page.getByRole('link', { name: '断点' }).waitFor();
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
