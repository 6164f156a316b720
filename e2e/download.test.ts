import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addDocument } from '#modules/document/document.fixture.ts';
import { newReaderWithCredit } from '#modules/download/download-document.fixture.ts';
import { rowsForTier } from '#testing/test-tier.ts';
import { isFocused } from './page-helpers.ts';
import { findAxeProblems } from './support/axe.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { doesToastCover } from './support/toasts.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { ctx, pool, visit, visitAs, errors } = site;
const author = await newAuthor(site);

/** Ten pages, of which two are free to read. */
async function publishPaidDocument(title: string): Promise<number> {
  const bytes = makePdf({ pages: 10, text: (page) => `Page ${page} of ${crypto.randomUUID()}` });
  const { category_id } = author;
  const { id } = await addDocument(ctx, author, {
    title,
    price: 3,
    category_id,
    bytes,
    ext: '.pdf',
  });
  await waitForStatus(site, id, 2);
  await pool.query('update documents set preview = 2 where id = $1', [id]);
  return id;
}
const findDownloadButton = (page: Page) => page.getByRole('button', { name: /^下载/ }).locator('visible=true').first();
const clickDownload = (page: Page) => findDownloadButton(page).click();

test.each(
  rowsForTier([
    ['390 px', phone],
    ['1280 px', desktop],
  ]),
)('at %s a reader sees the price of a document, buys it and downloads it again without paying', async (_, device) => {
  const id = await publishPaidDocument('线性代数（上）');
  const guestPage = await visit(`/document/${id}`, device);
  await guestPage.getByText('还有 8 页没有显示').waitFor();
  await clickDownload(guestPage);
  const guestDialog = guestPage.getByRole('dialog');
  await guestDialog.getByText('付费文档，请先登录再下载').waitFor();
  expect(await guestDialog.getByRole('link', { name: '登录' }).getAttribute('href')).toBe(
    `/login?redirect=${encodeURIComponent(`/document/${id}`)}`,
  );
  expect(await findAxeProblems(guestPage)).toEqual([]);
  await guestPage.keyboard.press('Escape');
  await expect.poll(() => isFocused(findDownloadButton(guestPage))).toBe(true);

  const poorReader = await newReaderWithCredit(ctx, 1);
  const poorReaderPage = await visitAs(poorReader.headers, `/document/${id}`, device);
  await clickDownload(poorReaderPage);
  await poorReaderPage.getByText('豆不足，无法下载').waitFor();
  await poorReaderPage.getByText('还差').waitFor();
  await poorReaderPage.getByRole('dialog').getByRole('link', { name: '上传文档' }).waitFor();

  const reader = await newReaderWithCredit(ctx, 10);
  const page = await visitAs(reader.headers, `/document/${id}`, device);
  await clickDownload(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('在线阅读全文，共 10 页').waitFor();
  expect(await dialog.locator('dl').textContent()).toBe('售价3 豆我的余额10 豆购买后剩余7 豆');
  expect(await findAxeProblems(page)).toEqual([]);
  const box = await dialog.boundingBox();
  expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= device.viewport.width).toBe(true);
  const [download, isBarCovered] = await Promise.all([
    page.waitForEvent('download'),
    doesToastCover(page, '购买成功，已开始下载', '[data-bottom-bar]'),
    dialog.getByRole('button', { name: '支付 3 豆并下载' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('线性代数（上）.pdf');
  expect(isBarCovered).toBe(false);
  await saveScreenshot(page, `bought-${device.viewport.width}`);
  await expect.poll(() => page.getByText('页没有显示').count()).toBe(0);
  const { rows } = await pool.query('select credit_count::int from users where id = $1', [reader.id]);
  expect(rows).toEqual([{ credit_count: 7 }]);
  // A bought document shows neither a price nor a dialog. Scrolling up shows the toolbars again.
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('button', { name: '下载', exact: true }).locator('visible=true').waitFor();
  await Promise.all([page.waitForEvent('download'), clickDownload(page)]);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.goto(`/user/${reader.id}/download`);
  const downloads = page.getByRole('list', { name: '我的下载' }).getByRole('listitem');
  await expect.poll(() => downloads.allTextContents()).toHaveLength(2);
  await downloads.last().getByText('支付 3 豆').waitFor();
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
