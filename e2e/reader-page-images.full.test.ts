import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { makeBookPdf } from './sample-books.ts';
import { desktop, startTestSite } from './support/site.ts';

const { visit, ctx, errors } = await startTestSite();
const publisher = await newPublisher(ctx);
const bookId = await publisher.publish(makeBookPdf(20), '.pdf', { title: '看得见的书' });

test('without JavaScript the reader shows five pages below each other and a link to the next five', async () => {
  const page = await visit(`/document/${bookId}`, { ...desktop, javaScriptEnabled: false });
  const readImageNames = () =>
    page
      .locator('[data-page] img[alt^="第"]')
      .evaluateAll((images) => images.map((image) => image.getAttribute('alt')));
  expect(await readImageNames()).toEqual([1, 2, 3, 4, 5].map((number) => `第 ${number} 页`));
  /** Space in px above each page, to the edge of the viewport or to the page before. */
  const readGaps = () =>
    page.locator('.reader-viewport, [data-page]').evaluateAll((elements) => {
      const [viewport, ...pages] = elements.map((element) => element.getBoundingClientRect());
      return pages.map(({ top }, index) => Math.round(top - (pages[index - 1]?.bottom ?? viewport?.top ?? 0)));
    });
  expect(await readGaps()).toEqual([16, 16, 16, 16, 16]);
  await page.getByRole('link', { name: '从第 6 页继续' }).click();
  await page.getByRole('img', { name: '第 6 页', exact: true }).waitFor();
  expect([(await readImageNames())[0], (await readGaps())[0]]).toEqual(['第 6 页', 16]);
});

test('the browser requests the first page image before any script', async () => {
  const page = await visit('/');
  const requestedPaths: string[] = [];
  page.on('request', (request) => void requestedPaths.push(new URL(request.url()).pathname));
  await page.goto(`/document/${bookId}`);
  const imageIndex = requestedPaths.findIndex((path) => path.endsWith('/p/00001.webp'));
  const scriptIndex = requestedPaths.findIndex((path) => path.endsWith('.js'));
  expect([imageIndex > 0, imageIndex < scriptIndex]).toEqual([true, true]);
});

test('page images that failed to load are drawn when the network returns', async () => {
  const page = await visit('/');
  await page.route('**/p/*.webp*', (route) => route.abort());
  await page.goto(`/document/${bookId}`);
  const firstPage = page.locator('[data-page="1"]');
  // The image failed before React attached an error handler; a canvas replaces it.
  await firstPage.locator('canvas').first().waitFor({ state: 'attached' });
  expect(await firstPage.locator('[data-drawn*="/p/"]').count()).toBe(0);
  await page.unrouteAll();
  await firstPage.locator('[data-drawn*="/p/"]').waitFor();
});

test('a page is drawn at its displayed width and redrawn after a zoom', async () => {
  const page = await visit(`/document/${bookId}#p=9`);
  const canvas = page.locator('[data-page="9"] [data-drawn*="/p/"]');
  const readWidths = () => canvas.evaluate((element: HTMLCanvasElement) => [element.width, element.clientWidth]);
  await canvas.waitFor();
  const [width = 0, clientWidth = 0] = await readWidths();
  expect(width).toBe(clientWidth);
  await page.keyboard.press('+');
  await expect.poll(async () => (await readWidths())[0]).toBeGreaterThan(width);
  const [zoomedWidth, zoomedClientWidth] = await readWidths();
  expect(zoomedWidth).toBe(zoomedClientWidth);
});

test('only the visible page has a large image, and the next page has a small one', async () => {
  const page = await visit(`/document/${bookId}#p=9`);
  const canvasOf = (number: number, size: string) => page.locator(`[data-page="${number}"] [data-drawn*="/${size}/"]`);
  await canvasOf(9, 'p').waitFor();
  await canvasOf(10, 's').waitFor();
  expect(await canvasOf(10, 'p').count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await canvasOf(10, 'p').waitFor();
  // The large image replaces the small one until the reader leaves the page.
  await expect.poll(() => canvasOf(10, 's').count()).toBe(0);
  await page.keyboard.press('ArrowLeft');
  await canvasOf(10, 's').waitFor();
  expect(await canvasOf(10, 'p').count()).toBe(0);
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
