import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { waitForHydration } from './page-helpers.ts';
import { makeBookPdf } from './sample-books.ts';
import { doubleTap } from './support/double-tap.ts';
import { expectPageNumber } from './support/reader.ts';
import { phone, startTestSite } from './support/site.ts';

const { visit, ctx, address, errors } = await startTestSite();
const publisher = await newPublisher(ctx);
const bookId = await publisher.publish(makeBookPdf(20), '.pdf', { title: '口袋里的书' });

const boundsOf = async (page: Page, number: number) => {
  const bounds = await page.locator(`[data-page="${number}"]`).boundingBox();
  return { width: bounds?.width ?? 0, height: bounds?.height ?? 0, y: bounds?.y ?? 0 };
};
const toolbar = (page: Page) => page.getByRole('toolbar', { name: '阅读操作' });
const chooseMenuItem = async (page: Page, name: string) => {
  await toolbar(page).getByRole('button', { name: '更多' }).click();
  const sheet = page.getByRole('dialog', { name: '更多' });
  await sheet.getByRole('button', { name, exact: true }).click();
  await sheet.waitFor({ state: 'hidden' });
};

test('on a phone a jump to a landscape slide makes it the current page', async () => {
  const slidesId = await publisher.publish(makeBookPdf(12, [960, 540]), '.pdf', { title: '幻灯片' });
  const page = await visit(`/document/${slidesId}#p=8`, phone);
  await waitForHydration(page);
  await expectPageNumber(page, 8);
  await page.getByLabel(/^页码/).fill('4');
  await page.keyboard.press('Enter');
  await expectPageNumber(page, 4);
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=4');
});

test('on a phone the reader jumps to pages, changes the page layout, prints, shares and rotates', async () => {
  const page = await visit(`/document/${bookId}#p=7`, phone);
  await waitForHydration(page);
  await expectPageNumber(page, 7);
  await page.getByLabel(/^页码/).fill('13');
  await page.keyboard.press('Enter');
  await expectPageNumber(page, 13);
  await toolbar(page).getByRole('button', { name: '目录' }).click();
  await page.getByRole('button', { name: '缩略图', exact: true }).click();
  await page.locator('.reader-thumbnail img').first().waitFor();
  await page.getByRole('button', { name: '第 8 页', exact: true }).click();
  await expectPageNumber(page, 8);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  // Scrolling cancels the jump to page 8; scrolling up shows the toolbar again.
  await page.mouse.move(195, 400);
  await page.mouse.wheel(0, 200);
  await expect.poll(async () => (await boundsOf(page, 8)).y).toBeLessThan(-50);
  await page.mouse.wheel(0, -60);
  await expect.poll(() => toolbar(page).getAttribute('data-hidden')).toBeNull();
  const defaultBounds = await boundsOf(page, 8);
  await chooseMenuItem(page, '双页');
  await expect.poll(async () => (await boundsOf(page, 8)).width).toBeLessThan(defaultBounds.width / 2);
  expect((await boundsOf(page, 8)).y).toBeCloseTo((await boundsOf(page, 9)).y, 0);
  await chooseMenuItem(page, '双页');
  await chooseMenuItem(page, '适合整页');
  await expect.poll(async () => (await boundsOf(page, 8)).height).toBeLessThan(phone.viewport.height);
  await chooseMenuItem(page, '适合宽度');
  await expect.poll(async () => (await boundsOf(page, 8)).width).toBeGreaterThan(360);
  await expectPageNumber(page, 8);

  await chooseMenuItem(page, '打印');
  const printDialog = page.getByRole('dialog', { name: '打印' });
  expect(await printDialog.getByLabel('到第几页').inputValue()).toBe('20');
  await printDialog.getByRole('button', { name: '关闭' }).click();
  await printDialog.waitFor({ state: 'hidden' });
  await toolbar(page).getByRole('button', { name: '分享' }).click();
  const shareDialog = page.getByRole('dialog', { name: '分享' });
  const isQrCodeLoaded = await shareDialog
    .getByRole('img', { name: '链接的二维码' })
    .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0));
  expect(isQrCodeLoaded).toBe(true);
  expect(await shareDialog.getByLabel('嵌入代码', { exact: true }).inputValue()).toContain(
    `<iframe src="${address}/document/${bookId}?embed=1#p=8"`,
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await shareDialog.getByRole('button', { name: '关闭' }).click();
  await shareDialog.waitFor({ state: 'hidden' });

  await chooseMenuItem(page, '顺时针旋转');
  await expect.poll(async () => (await boundsOf(page, 8)).height).toBeLessThan(defaultBounds.width);
  await expectPageNumber(page, 8);
});

test('on a phone with a pixel ratio of 3 a search link opens the marked, selectable hit, and a double tap draws the high-resolution page', async () => {
  const page = await visit(`/document/${bookId}?wd=needle%2012#p=12`, {
    ...phone,
    deviceScaleFactor: 3,
  });
  await expectPageNumber(page, 12);
  const mark = page.locator('[data-page="12"] [data-mark="active"]').first();
  await mark.waitFor();
  const { width = 0, height = 0 } = (await mark.boundingBox()) ?? {};
  expect(width > 10 && height > 3).toBe(true);
  await page.getByRole('region', { name: '查找结果' }).getByText('1 / 1 处').waitFor();
  const selection = await page.locator('[data-page="12"] [data-words]').evaluate((layer) => {
    getSelection()?.selectAllChildren(layer);
    return [getComputedStyle(layer).userSelect, getSelection()?.toString() ?? ''];
  });
  expect(selection[0]).not.toBe('none');
  expect(selection[1]).toMatch(/^Page 12 of the book\nThe library keeps its documents/);
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await doubleTap(page, 200, 300);
  await page.locator('[data-page="12"] [data-drawn*="/l/"]').waitFor();
});

test('on a phone without images a document shows its title, text, preview notice and download button', async () => {
  await setSetting(ctx, 'converter.max_preview', '3');
  const page = await visit('about:blank', phone);
  await page
    .context()
    .route('**/*', (route) =>
      route.request().resourceType() === 'image' || /\.(webp|png|svg|jpg)/.test(route.request().url())
        ? route.abort()
        : route.continue(),
    );
  await page.goto(`${address}/document/${bookId}`);
  await page.getByRole('heading', { name: '口袋里的书', level: 1 }).waitFor();
  const textLayer = page.locator('[data-page="1"] [data-words]');
  await textLayer.waitFor({ state: 'attached' });
  expect(await textLayer.textContent()).toContain('Page 1 of the book');
  await page.getByText('还有 17 页没有显示').scrollIntoViewIfNeeded();
  await page.getByText('全文共 20 页，可以试读 3 页').waitFor();
  const previewNotice = page.locator('#beyond-preview');
  await previewNotice.getByRole('button', { name: /^下载/ }).waitFor();
  await page.getByRole('link', { name: '文字版' }).click();
  await page.getByText('Page 2 of the book').first().waitFor();
  await setSetting(ctx, 'converter.max_preview', '0');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
