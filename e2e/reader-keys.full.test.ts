import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { ready } from './public-site.ts';
import { makeBook } from './reader-site.ts';
import { expectPageNumber, pressKeys } from './support/reader.ts';
import { phone, startSite } from './support/site.ts';

const { visit, ctx, errors } = await startSite();
const publisher = await newPublisher(ctx);
const book = await publisher.publish(makeBook(20), '.pdf', { title: '按键阅读的书' });

test('of two pages side by side the arrows turn both', async () => {
  const page = await visit(`/document/${book}#p=8`);
  await ready(page);
  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '双页' }).click();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await expectPageNumber(page, 8);
  await pressKeys(page, 'ArrowRight', 'ArrowRight');
  await expectPageNumber(page, 12);
  await pressKeys(page, 'ArrowLeft', 'ArrowLeft');
  await expectPageNumber(page, 8);
});

test('pages are made as large as one likes by buttons and keys, up to the whole screen', async () => {
  const page = await visit(`/document/${book}#p=6`);
  await ready(page);
  await expectPageNumber(page, 6);
  const sheet = page.locator('[data-page="6"]');
  const width = async () => Math.round((await sheet.boundingBox())?.width ?? 0);
  const isWide = (expected: number) => expect.poll(width).toBe(expected);
  const usual = await width();
  const bar = page.getByRole('toolbar', { name: '阅读', exact: true });
  const choose = async (name: string) => {
    await bar.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('menu').waitFor({ state: 'hidden' });
  };
  await choose('适合宽度');
  await expect.poll(width).toBeGreaterThan(usual * 1.2);
  const room = await page.locator('.reader-viewport').evaluate((desk) => desk.clientWidth);
  expect(room - (await width())).toBeLessThan(64);
  await choose('适合宽度');
  await isWide(usual);
  await pressKeys(page, '-');
  await isWide(Math.round(usual * 0.9));
  await bar.getByRole('button', { name: '缩小' }).click();
  await isWide(Math.round(usual * 0.75));
  await bar.getByRole('button', { name: '放大' }).click();
  await isWide(Math.round(usual * 0.9));
  await bar.getByRole('button', { name: '缩放 90%' }).click();
  await isWide(usual);
  await expectPageNumber(page, 6);

  const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
  await pressKeys(page, 'f');
  await expect.poll(isFull).toBe(true);
  await expectPageNumber(page, 6);
  await pressKeys(page, 'f');
  await expect.poll(isFull).toBe(false);
  await choose('全屏');
  await expect.poll(isFull).toBe(true);
  await choose('退出全屏');
  await expect.poll(isFull).toBe(false);
});

test('the only hit is shown again to whoever has read on, and looking begins anew', async () => {
  const page = await visit(`/document/${book}?wd=page%2017%20of`);
  const mark = page.locator('[data-mark="active"]').first();
  await mark.waitFor();
  await expectPageNumber(page, 17);
  await pressKeys(page, 'ArrowLeft');
  await expectPageNumber(page, 16);
  await page.getByRole('button', { name: '下一处' }).click();
  const isSeen = () =>
    mark.evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
  await expect.poll(isSeen).toBe(true);
  const box = page.getByLabel('在文档中查找');
  const chosen = () =>
    box.evaluate((node: HTMLInputElement) =>
      document.activeElement === node ? node.value.slice(node.selectionStart ?? 0, node.selectionEnd ?? 0) : null,
    );
  await pressKeys(page, '/');
  await expect.poll(chosen).toBe('page 17 of');
  await page.getByRole('button', { name: '下一处' }).focus();
  expect(await chosen()).toBeNull();
  await pressKeys(page, 'Control+f');
  await expect.poll(chosen).toBe('page 17 of');
});

test('keys pressed in what stands around the reader turn no page', async () => {
  const page = await visit(`/document/${book}`);
  await ready(page);
  await page.getByRole('banner').getByRole('link').first().focus();
  await pressKeys(page, 'ArrowRight', '/');
  // Longer than it takes to turn a page.
  await page.waitForTimeout(500);
  await expectPageNumber(page, 1);
  expect(await page.getByLabel('在文档中查找').count()).toBe(0);
  await page.getByRole('toolbar', { name: '阅读', exact: true }).getByRole('button').first().focus();
  await pressKeys(page, 'ArrowRight');
  await expectPageNumber(page, 2);
});

test('on a phone a tap brings the bars back, and the next sends them away', async () => {
  const page = await visit(`/document/${book}#p=5`, phone);
  await ready(page);
  await expectPageNumber(page, 5);
  const bar = page.getByRole('toolbar', { name: '阅读', exact: true });
  const isHidden = () => bar.evaluate((node) => node.hasAttribute('data-hidden'));
  await page.mouse.move(195, 400);
  await page.mouse.wheel(0, 700);
  await expect.poll(isHidden).toBe(true);
  await page.touchscreen.tap(195, 400);
  await expect.poll(isHidden).toBe(false);
  await page.touchscreen.tap(195, 400);
  await expect.poll(isHidden).toBe(true);
});

test('whoever came from the site goes back to where it was, others to the shelf', async () => {
  const page = await visit('/category?sort=latest');
  await page.getByRole('link', { name: '按键阅读的书' }).first().click();
  await ready(page);
  await page.getByRole('link', { name: '返回', exact: true }).click();
  await page.waitForURL('**/category?sort=latest');
  const direct = await visit(`/document/${book}`);
  await direct.getByRole('link', { name: '返回', exact: true }).click();
  await direct.waitForURL('**/category**');
});

test('the key that prints asks which pages, and prints their pictures and nothing else', async () => {
  const page = await visit('/');
  await page.addInitScript(() => {
    window.print = () => {
      const seen = Array.from(document.images, ({ naturalWidth }) => naturalWidth > 0);
      const words = document.body.textContent.trim();
      parent.document.body.dataset.printed = JSON.stringify({ seen, words });
    };
  });
  await page.goto(`/document/${book}`);
  await ready(page);
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
    seen: [true, true, true],
    words: '',
  });
});

test('no page of a reader threw an error', () => {
  expect(errors).toEqual([]);
});
