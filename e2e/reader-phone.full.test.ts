import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { ready } from './public-site.ts';
import { makeBook } from './reader-site.ts';
import { expectPageNumber } from './support/reader.ts';
import { phone, startSite } from './support/site.ts';

const { visit, ctx, address, errors } = await startSite();
const publisher = await newPublisher(ctx);
const book = await publisher.publish(makeBook(20), '.pdf', { title: '口袋里的书' });

const boxOf = async (page: Page, number: number) => {
  const box = await page.locator(`[data-page="${number}"]`).boundingBox();
  return { width: box?.width ?? 0, height: box?.height ?? 0, y: box?.y ?? 0 };
};
const bar = (page: Page) => page.getByRole('toolbar', { name: '阅读操作' });
const choose = async (page: Page, name: string) => {
  await bar(page).getByRole('button', { name: '更多' }).click();
  const sheet = page.getByRole('dialog', { name: '更多' });
  await sheet.getByRole('button', { name, exact: true }).click();
  await sheet.waitFor({ state: 'hidden' });
};

test('on a phone a slide that is gone to is the one being read, low as it is', async () => {
  const slides = await publisher.publish(makeBook(12, [960, 540]), '.pdf', { title: '幻灯片' });
  const page = await visit(`/document/${slides}#p=8`, phone);
  await ready(page);
  await expectPageNumber(page, 8);
  await page.getByLabel(/^页码/).fill('4');
  await page.keyboard.press('Enter');
  await expectPageNumber(page, 4);
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=4');
});

test('on a phone pages are gone to, turned and laid as one likes, printed and passed on', async () => {
  const page = await visit(`/document/${book}#p=7`, phone);
  await ready(page);
  await expectPageNumber(page, 7);
  await page.getByLabel(/^页码/).fill('13');
  await page.keyboard.press('Enter');
  await expectPageNumber(page, 13);
  await bar(page).getByRole('button', { name: '目录' }).click();
  await page.getByRole('button', { name: '缩略图', exact: true }).click();
  await page.locator('.reader-thumbnail img').first().waitFor();
  await page.getByRole('button', { name: '第 8 页', exact: true }).click();
  await expectPageNumber(page, 8);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  // Whoever scrolls is held nowhere any more; the bars come back when one looks back.
  await page.mouse.move(195, 400);
  await page.mouse.wheel(0, 200);
  await expect.poll(async () => (await boxOf(page, 8)).y).toBeLessThan(-50);
  await page.mouse.wheel(0, -60);
  await expect.poll(() => bar(page).getAttribute('data-hidden')).toBeNull();
  const usual = await boxOf(page, 8);
  await choose(page, '双页');
  await expect.poll(async () => (await boxOf(page, 8)).width).toBeLessThan(usual.width / 2);
  expect((await boxOf(page, 8)).y).toBeCloseTo((await boxOf(page, 9)).y, 0);
  await choose(page, '双页');
  await choose(page, '适合整页');
  await expect.poll(async () => (await boxOf(page, 8)).height).toBeLessThan(phone.viewport.height);
  await choose(page, '适合宽度');
  await expect.poll(async () => (await boxOf(page, 8)).width).toBeGreaterThan(360);
  await expectPageNumber(page, 8);

  await choose(page, '打印');
  const print = page.getByRole('dialog', { name: '打印' });
  expect(await print.getByLabel('到第几页').inputValue()).toBe('20');
  await print.getByRole('button', { name: '关闭' }).click();
  await print.waitFor({ state: 'hidden' });
  await bar(page).getByRole('button', { name: '分享' }).click();
  const share = page.getByRole('dialog', { name: '分享' });
  const seen = await share
    .getByRole('img', { name: '链接的二维码' })
    .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0));
  expect(seen).toBe(true);
  expect(await share.getByLabel('嵌入代码', { exact: true }).inputValue()).toContain(
    `<iframe src="${address}/document/${book}?embed=1#p=8"`,
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await share.getByRole('button', { name: '关闭' }).click();
  await share.waitFor({ state: 'hidden' });

  await choose(page, '顺时针旋转');
  await expect.poll(async () => (await boxOf(page, 8)).height).toBeLessThan(usual.width);
  await expectPageNumber(page, 8);
});

test('on a phone of fine pixels a link with words leads to them, marked and selectable, and a page is drawn sharper', async () => {
  const page = await visit(`/document/${book}?wd=needle%2012#p=12`, {
    ...phone,
    deviceScaleFactor: 3,
  });
  await expectPageNumber(page, 12);
  const mark = page.locator('[data-page="12"] [data-mark="active"]').first();
  await mark.waitFor();
  const { width = 0, height = 0 } = (await mark.boundingBox()) ?? {};
  expect(width > 10 && height > 3).toBe(true);
  await page.getByRole('region', { name: '查找结果' }).getByText('1 / 1 处').waitFor();
  const selected = await page.locator('[data-page="12"] [data-words]').evaluate((layer) => {
    getSelection()?.selectAllChildren(layer);
    return [getComputedStyle(layer).userSelect, getSelection()?.toString() ?? ''];
  });
  expect(selected[0]).not.toBe('none');
  expect(selected[1]).toMatch(/^Page 12 of the book\nA reading room, not a portal/);
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await page.touchscreen.tap(200, 300);
  await page.touchscreen.tap(200, 300);
  await page.locator('[data-page="12"] [data-drawn*="/l/"]').waitFor();
});

test('on a phone whoever sees no pictures still reads what it is and how to have it', async () => {
  await setSetting(ctx, 'converter.max_preview', '3');
  const page = await visit('about:blank', phone);
  await page
    .context()
    .route('**/*', (route) =>
      route.request().resourceType() === 'image' || /\.(webp|png|svg|jpg)/.test(route.request().url())
        ? route.abort()
        : route.continue(),
    );
  await page.goto(`${address}/document/${book}`);
  await page.getByRole('heading', { name: '口袋里的书', level: 1 }).waitFor();
  const words = page.locator('[data-page="1"] [data-words]');
  await words.waitFor({ state: 'attached' });
  expect(await words.textContent()).toContain('Page 1 of the book');
  await page.getByText('还有 17 页没有显示').scrollIntoViewIfNeeded();
  await page.getByText('全文共 20 页，可以试读 3 页').waitFor();
  const invitation = page.locator('#beyond-preview');
  await invitation.getByRole('button', { name: /^下载/ }).waitFor();
  await page.getByRole('link', { name: '文字版' }).click();
  await page.getByText('Page 2 of the book').first().waitFor();
  await setSetting(ctx, 'converter.max_preview', '0');
});

test('no page of a reader threw an error', () => {
  expect(errors).toEqual([]);
});
