import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { makeBook } from './reader-site.ts';
import { desktop, startSite } from './support/site.ts';

const { visit, ctx, errors } = await startSite();
const publisher = await newPublisher(ctx);
const book = await publisher.publish(makeBook(20), '.pdf', { title: '看得见的书' });

test('without scripts the pages stand below each other, a few at a time', async () => {
  const page = await visit(`/document/${book}`, { ...desktop, javaScriptEnabled: false });
  const names = () =>
    page.locator('[data-page] img[alt^="第"]').evaluateAll((all) => all.map((each) => each.getAttribute('alt')));
  expect(await names()).toEqual([1, 2, 3, 4, 5].map((number) => `第 ${number} 页`));
  /** The room above each page: 16 px to the desk's edge or the page before. */
  const gaps = () =>
    page.locator('.reader-viewport, [data-page]').evaluateAll((all) => {
      const [desk, ...pages] = all.map((each) => each.getBoundingClientRect());
      return pages.map(({ top }, at) => Math.round(top - (pages[at - 1]?.bottom ?? desk?.top ?? 0)));
    });
  expect(await gaps()).toEqual([16, 16, 16, 16, 16]);
  await page.getByRole('link', { name: '从第 6 页继续' }).click();
  await page.getByRole('img', { name: '第 6 页', exact: true }).waitFor();
  expect([(await names())[0], (await gaps())[0]]).toEqual(['第 6 页', 16]);
});

test('what one came to see is painted before any script is asked for', async () => {
  const page = await visit('/');
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await page.goto(`/document/${book}`);
  const picture = asked.findIndex((path) => path.endsWith('/p/00001.webp'));
  const script = asked.findIndex((path) => path.endsWith('.js'));
  expect([picture > 0, picture < script]).toEqual([true, true]);
});

test('pictures that were lost with the network are drawn when it is back', async () => {
  const page = await visit('/');
  await page.route('**/p/*.webp*', (route) => route.abort());
  await page.goto(`/document/${book}`);
  const first = page.locator('[data-page="1"]');
  // The picture that failed before anybody could hear of it has given way to a drawing.
  await first.locator('canvas').first().waitFor({ state: 'attached' });
  expect(await first.locator('[data-drawn*="/p/"]').count()).toBe(0);
  await page.unrouteAll();
  await first.locator('[data-drawn*="/p/"]').waitFor();
});

test('a page is drawn as wide as it is shown, and anew when that changes', async () => {
  const page = await visit(`/document/${book}#p=9`);
  const drawn = page.locator('[data-page="9"] [data-drawn*="/p/"]');
  const widths = () => drawn.evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.clientWidth]);
  await drawn.waitFor();
  const [width = 0, shown = 0] = await widths();
  expect(width).toBe(shown);
  await page.keyboard.press('+');
  await expect.poll(async () => (await widths())[0]).toBeGreaterThan(width);
  const [larger, wider] = await widths();
  expect(larger).toBe(wider);
});

test('only pages about to be seen have large pictures', async () => {
  const page = await visit(`/document/${book}#p=9`);
  const drawn = (number: number, size: string) => page.locator(`[data-page="${number}"] [data-drawn*="/${size}/"]`);
  await drawn(9, 'p').waitFor();
  await drawn(10, 's').waitFor();
  expect(await drawn(10, 'p').count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await drawn(10, 'p').waitFor();
  // The small one has made room for it, and is back once the page is left.
  await expect.poll(() => drawn(10, 's').count()).toBe(0);
  await page.keyboard.press('ArrowLeft');
  await drawn(10, 's').waitFor();
  expect(await drawn(10, 'p').count()).toBe(0);
});

test('no page of a reader threw an error', () => {
  expect(errors).toEqual([]);
});
