import { describe, expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { ready } from './public-site.ts';
import { makeBook } from './reader-site.ts';
import { expectPageNumber, measurePageHeading, pageNumberInput, pressKeys } from './support/reader.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit, visitAs, ctx, address, errors } = site;
const publisher = await newPublisher(ctx);
const title = '阅读室里的一本书';
const book = await publisher.publish(makeBook(40), '.pdf', { title, price: 3 });

describe('at a desk', () => {
  test('somebody reads by wheel, keys and number, and the address follows', async () => {
    const page = await visit(`/document/${book}`);
    await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
    await ready(page); // seen before it hears keys
    await saveScreenshot(page, 'desk');
    await pressKeys(page, 'ArrowRight', 'ArrowRight');
    await expectPageNumber(page, 3);
    await expect.poll(() => new URL(page.url()).hash).toBe('#p=3');
    await pressKeys(page, 'End');
    await expectPageNumber(page, 40);
    expect(await page.locator('[data-page]').count()).toBeLessThan(12);
    await pressKeys(page, 'Home');
    await expectPageNumber(page, 1);
    await pageNumberInput(page).fill('25');
    await pressKeys(page, 'Enter');
    await expectPageNumber(page, 25);
    await page.getByRole('img', { name: '第 25 页', exact: true }).waitFor();
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 900);
    await expect.poll(() => page.locator('[data-reader-bar][data-hidden]').count()).toBeGreaterThan(0);
    await page.mouse.wheel(0, -200);
    await expect.poll(() => page.locator('[data-reader-bar][data-hidden]').count()).toBe(0);
    await page.waitForURL(/#p=26$/);
    await page.reload();
    await expectPageNumber(page, 26);
    await page.goto(`/document/${book}#p=12`);
    await expectPageNumber(page, 12);
  });

  test('words are found, marked, gone through and copied', async () => {
    const page = await visit(`/document/${book}?wd=NEEDLE%203`);
    const marks = page.locator('[data-mark="active"]');
    await marks.first().waitFor();
    await expectPageNumber(page, 3);
    await pressKeys(page, '/');
    await page.getByText('第 1 处，共 11 处').waitFor();
    await saveScreenshot(page, 'desk-find');
    await page.getByRole('button', { name: '下一处' }).click();
    await expectPageNumber(page, 30);
    await expect.poll(() => marks.first().isVisible()).toBe(true);
    const before = page.getByRole('button', { name: '上一处' });
    await before.click();
    await expectPageNumber(page, 3);
    // Before the first one comes the last.
    await before.click();
    await page.getByText('第 11 处，共 11 处').waitFor();
    await expectPageNumber(page, 39);
    await page.getByLabel('在文档中查找').fill('page 17 of');
    await page.getByRole('button', { name: /第 17 页/ }).click();
    await expectPageNumber(page, 17);
    const words = page.locator('[data-page="17"] [data-words]');
    await words.waitFor({ state: 'attached' });
    const copied = await words.evaluate((layer) => {
      getSelection()?.selectAllChildren(layer);
      return getSelection()?.toString() ?? '';
    });
    expect(copied).toMatch(/^Page 17 of the book\nA reading room, not a portal/);
    // The unseen word lies where the picture shows it: 60 of 595 points from the left.
    const { x } = await measurePageHeading(page, 17);
    const sheet = await page.locator('[data-page="17"]').boundingBox();
    expect((x - (sheet?.x ?? 0)) / (sheet?.width ?? 1)).toBeCloseTo(60 / 595, 2);
    // Enter right behind the last letter leads to the first hit all the same.
    await page.getByLabel('在文档中查找').fill('page 21 of');
    await page.getByLabel('在文档中查找').press('Enter');
    await expectPageNumber(page, 21);
    await page.getByLabel('在文档中查找').fill('没有这个词');
    await page.getByText('没有找到').waitFor();
    await pressKeys(page, 'Escape');
    await expect.poll(() => page.getByRole('complementary', { name: '查找' }).count()).toBe(0);
  });

  test('contents and small pages lead to their pages; a link to this one can be passed on', async () => {
    const page = await visit(`/document/${book}`);
    await page.getByRole('button', { name: '目录与缩略图' }).click();
    await page.getByRole('button', { name: /^Chapter 3/ }).click();
    await expectPageNumber(page, 21);
    await page.getByRole('button', { name: '缩略图', exact: true }).click();
    await page.getByRole('button', { name: '第 23 页' }).click();
    await expectPageNumber(page, 23);
    await page.locator('.reader-thumbnail img').first().waitFor();
    await saveScreenshot(page, 'desk-thumbnails');
    await page.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name: '分享' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('链接', { exact: true }).inputValue()).toBe(`${address}/document/${book}#p=23`);
    await dialog.getByRole('img', { name: '链接的二维码' }).waitFor();
    expect(await dialog.getByLabel('嵌入代码', { exact: true }).inputValue()).toContain(
      `src="${address}/document/${book}?embed=1#p=23"`,
    );
    await saveScreenshot(page, 'desk-share');
  });
});

describe('on a phone', () => {
  test('bars are within reach of the thumb, and fingers zoom', async () => {
    const page = await visit(`/document/${book}`, phone);
    await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
    await ready(page);
    await saveScreenshot(page, 'phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole('button', { name: '目录', exact: true }).click();
    await page.getByRole('button', { name: /^Chapter 2/ }).click();
    await expectPageNumber(page, 11);
    await page.getByRole('button', { name: '查找', exact: true }).click();
    await page.getByLabel('在文档中查找').fill('needle 12');
    await saveScreenshot(page, 'phone-find');
    await page.getByRole('button', { name: /第 12 页/ }).click();
    await expectPageNumber(page, 12);
    const sheet = page.locator('[data-page="12"]');
    const before = (await sheet.boundingBox())?.width ?? 0;
    await page.touchscreen.tap(200, 400);
    await page.touchscreen.tap(200, 400);
    await expect.poll(async () => (await sheet.boundingBox())?.width).toBeGreaterThan(before * 2);
    await expectPageNumber(page, 12);
    await page.touchscreen.tap(200, 400);
    await page.touchscreen.tap(200, 400);
    await expect.poll(async () => (await sheet.boundingBox())?.width).toBeCloseTo(before, 0);
    const fingers = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
      fingers.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [1, 2].map((id) => ({ id, x: 195 + (id * 2 - 3) * apart, y: 400 })),
      });
    await touch('touchStart', 40);
    for (const apart of [50, 60, 70, 80]) {
      await touch('touchMove', apart);
      // Fingers take their time; a browser looks at them once a frame.
      await page.waitForTimeout(50);
    }
    await touch('touchEnd', 80);
    await expect.poll(async () => (await sheet.boundingBox())?.width).toBeGreaterThan(before * 1.8);
    await page.getByRole('button', { name: '更多', exact: true }).click();
    await page.getByRole('button', { name: '深色页面' }).click();
    await page.locator('[data-inverted]').first().waitFor();
    await saveScreenshot(page, 'phone-inverted');
  });
});

test('past the preview there is an invitation; whoever owns the document reads on', async () => {
  await setSetting(ctx, 'converter.max_preview', '6');
  const page = await visit(`/document/${book}#p=30`);
  await expectPageNumber(page, 6);
  await page.getByText('还有 34 页没有显示').scrollIntoViewIfNeeded();
  await page.getByText('全文共 40 页，可以试读 6 页').waitFor();
  await saveScreenshot(page, 'desk-preview');
  const own = await visitAs(publisher.headers, `/document/${book}#p=30`);
  await expectPageNumber(own, 30);
  await own.locator('[data-page="30"] [data-drawn]').first().waitFor();
  await own.getByRole('button', { name: '编辑' }).click();
  await own.getByRole('dialog').getByLabel('名称').fill(`${title}（新）`);
  await own.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await own.getByRole('heading', { name: `${title}（新）` }).waitFor();
  await setSetting(ctx, 'converter.max_preview', '0');
});

test('no page of a reader threw an error', () => {
  expect(errors).toEqual([]);
});
