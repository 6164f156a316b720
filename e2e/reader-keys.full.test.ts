import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { waitForHydration } from './page-helpers.ts';
import { makeBookPdf } from './sample-books.ts';
import { expectPageNumber, pressKeys } from './support/reader.ts';
import { phone, startTestSite } from './support/site.ts';

const { visit, ctx, errors } = await startTestSite();
const publisher = await newPublisher(ctx);
const bookId = await publisher.publish(makeBookPdf(20), '.pdf', { title: '按键阅读的书' });

test('the arrow keys turn both pages of the two-page view', async () => {
  const page = await visit(`/document/${bookId}#p=8`);
  await waitForHydration(page);
  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '双页' }).click();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await expectPageNumber(page, 8);
  await pressKeys(page, 'ArrowRight', 'ArrowRight');
  await expectPageNumber(page, 12);
  await pressKeys(page, 'ArrowLeft', 'ArrowLeft');
  await expectPageNumber(page, 8);
});

test('buttons and keys zoom the pages, fit them to the width and toggle full screen', async () => {
  const page = await visit(`/document/${bookId}#p=6`);
  await waitForHydration(page);
  await expectPageNumber(page, 6);
  const pageElement = page.locator('[data-page="6"]');
  const readWidth = async () => Math.round((await pageElement.boundingBox())?.width ?? 0);
  const expectWidth = (expected: number) => expect.poll(readWidth).toBe(expected);
  const initialWidth = await readWidth();
  const toolbar = page.getByRole('toolbar', { name: '阅读', exact: true });
  const chooseMenuItem = async (name: string) => {
    await toolbar.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('menu').waitFor({ state: 'hidden' });
  };
  await chooseMenuItem('适合宽度');
  await expect.poll(readWidth).toBeGreaterThan(initialWidth * 1.2);
  const viewportWidth = await page.locator('.reader-viewport').evaluate((viewport) => viewport.clientWidth);
  expect(viewportWidth - (await readWidth())).toBeLessThan(64);
  await chooseMenuItem('适合宽度');
  await expectWidth(initialWidth);
  await pressKeys(page, '-');
  await expectWidth(Math.round(initialWidth * 0.9));
  await toolbar.getByRole('button', { name: '缩小' }).click();
  await expectWidth(Math.round(initialWidth * 0.75));
  await toolbar.getByRole('button', { name: '放大' }).click();
  await expectWidth(Math.round(initialWidth * 0.9));
  await toolbar.getByRole('button', { name: '缩放 90%' }).click();
  await expectWidth(initialWidth);
  await expectPageNumber(page, 6);

  const isFullscreen = () => page.evaluate(() => document.fullscreenElement !== null);
  await pressKeys(page, 'f');
  await expect.poll(isFullscreen).toBe(true);
  await expectPageNumber(page, 6);
  await pressKeys(page, 'f');
  await expect.poll(isFullscreen).toBe(false);
  await chooseMenuItem('全屏');
  await expect.poll(isFullscreen).toBe(true);
  await chooseMenuItem('退出全屏');
  await expect.poll(isFullscreen).toBe(false);
});

test('the next-hit button returns to the only hit after a page turn, and / and Ctrl+F select the query', async () => {
  const page = await visit(`/document/${bookId}?wd=page%2017%20of`);
  const mark = page.locator('[data-mark="active"]').first();
  await mark.waitFor();
  await expectPageNumber(page, 17);
  await pressKeys(page, 'ArrowLeft');
  await expectPageNumber(page, 16);
  await page.getByRole('button', { name: '下一处' }).click();
  const isInViewport = () =>
    mark.evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
  await expect.poll(isInViewport).toBe(true);
  const searchInput = page.getByLabel('在文档中查找');
  const readSelectedQuery = () =>
    searchInput.evaluate((node: HTMLInputElement) =>
      document.activeElement === node ? node.value.slice(node.selectionStart ?? 0, node.selectionEnd ?? 0) : null,
    );
  await pressKeys(page, '/');
  await expect.poll(readSelectedQuery).toBe('page 17 of');
  await page.getByRole('button', { name: '下一处' }).focus();
  expect(await readSelectedQuery()).toBeNull();
  await pressKeys(page, 'Control+f');
  await expect.poll(readSelectedQuery).toBe('page 17 of');
});

test('keys pressed outside the reader turn no page', async () => {
  const page = await visit(`/document/${bookId}#p=5`);
  await waitForHydration(page);
  await expectPageNumber(page, 5);
  await page.getByRole('banner').getByRole('link').first().focus();
  await pressKeys(page, 'ArrowRight', '/');
  await page.getByRole('toolbar', { name: '阅读', exact: true }).getByRole('button').first().focus();
  // A key that turned a page before would make this one return to page 5.
  await pressKeys(page, 'ArrowLeft');
  await expectPageNumber(page, 4);
  expect(await page.getByLabel('在文档中查找').count()).toBe(0);
});

test('on a phone a tap shows the toolbar, and the next tap hides it', async () => {
  const page = await visit(`/document/${bookId}#p=5`, phone);
  await waitForHydration(page);
  await expectPageNumber(page, 5);
  const toolbar = page.getByRole('toolbar', { name: '阅读', exact: true });
  const isToolbarHidden = () => toolbar.evaluate((node) => node.hasAttribute('data-hidden'));
  await page.mouse.move(195, 400);
  await page.mouse.wheel(0, 700);
  await expect.poll(isToolbarHidden).toBe(true);
  await page.touchscreen.tap(195, 400);
  await expect.poll(isToolbarHidden).toBe(false);
  await page.touchscreen.tap(195, 400);
  await expect.poll(isToolbarHidden).toBe(true);
});

test('the back link returns to the previous page of the site, and to the category page after a direct visit', async () => {
  const page = await visit('/category?sort=latest');
  await page.getByRole('link', { name: '按键阅读的书' }).first().click();
  await waitForHydration(page);
  await page.getByRole('link', { name: '返回', exact: true }).click();
  await page.waitForURL('**/category?sort=latest');
  const directlyOpenedPage = await visit(`/document/${bookId}`);
  await directlyOpenedPage.getByRole('link', { name: '返回', exact: true }).click();
  await directlyOpenedPage.waitForURL('**/category**');
});

test('Ctrl+P asks for a page range and prints only the images of its pages', async () => {
  const page = await visit('/');
  await page.addInitScript(() => {
    window.print = () => {
      const areImagesLoaded = Array.from(document.images, ({ naturalWidth }) => naturalWidth > 0);
      const printedText = document.body.textContent.trim();
      parent.document.body.dataset.printed = JSON.stringify({ areImagesLoaded, printedText });
    };
  });
  await page.goto(`/document/${bookId}`);
  await waitForHydration(page);
  await pressKeys(page, 'Control+p');
  const dialog = page.getByRole('dialog', { name: '打印' });
  const submit = dialog.getByRole('button', { name: '打印' });
  await dialog.getByLabel('从第几页').fill('21');
  await dialog.getByText('请输入 1 到 20 之间的页码').waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await dialog.getByLabel('从第几页').fill('6');
  await dialog.getByLabel('到第几页').fill('5');
  await dialog.getByText('起始页不能大于结束页').waitFor();
  await dialog.getByLabel('从第几页').fill('3');
  await submit.click();
  await dialog.waitFor({ state: 'hidden' });
  expect(JSON.parse((await page.locator('body').getAttribute('data-printed')) ?? '')).toEqual({
    areImagesLoaded: [true, true, true],
    printedText: '',
  });
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
