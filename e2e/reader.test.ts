import { describe, expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { isFocused, waitForHydration, waitForTwoFrames } from './page-helpers.ts';
import { makeBookPdf } from './sample-books.ts';
import { doubleTap } from './support/double-tap.ts';
import { expectPageNumber, findPageNumberInput, measurePageHeading, pressKeys } from './support/reader.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { phone, startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, address, errors } = site;
const publisher = await newPublisher(ctx);
const title = '阅读室里的一本书';
const bookId = await publisher.publish(makeBookPdf(40), '.pdf', { title, price: 3 });

describe('on desktop', () => {
  test('the reader moves by wheel, keys and page number, and the URL follows', async () => {
    const page = await visit(`/document/${bookId}`);
    await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
    await waitForHydration(page); // the server-rendered page ignores keys
    await saveScreenshot(page, 'desktop');
    await pressKeys(page, 'ArrowRight', 'ArrowRight');
    await expectPageNumber(page, 3);
    await expect.poll(() => new URL(page.url()).hash).toBe('#p=3');
    await pressKeys(page, 'End');
    await expectPageNumber(page, 40);
    expect(await page.locator('[data-page]').count()).toBeLessThan(12);
    await pressKeys(page, 'Home');
    await expectPageNumber(page, 1);
    await findPageNumberInput(page).fill('25');
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
    await page.goto(`/document/${bookId}#p=12`);
    await expectPageNumber(page, 12);
  });

  test('the reader finds, marks and steps through hits, and its text can be copied', async () => {
    const page = await visit(`/document/${bookId}?wd=NEEDLE%203`);
    const marks = page.locator('[data-mark="active"]');
    await marks.first().waitFor();
    await expectPageNumber(page, 3);
    await pressKeys(page, '/');
    await page.getByText('第 1 处，共 11 处').waitFor();
    await saveScreenshot(page, 'desktop-find');
    await page.getByRole('button', { name: '下一处' }).click();
    await expectPageNumber(page, 30);
    await expect.poll(() => marks.first().isVisible()).toBe(true);
    const previousHit = page.getByRole('button', { name: '上一处' });
    await previousHit.click();
    await expectPageNumber(page, 3);
    // The hit before the first one is the last one.
    await previousHit.click();
    await page.getByText('第 11 处，共 11 处').waitFor();
    await expectPageNumber(page, 39);
    await page.getByLabel('在文档中查找').fill('page 17 of');
    await page.getByRole('button', { name: /第 17 页/ }).click();
    await expectPageNumber(page, 17);
    const textLayer = page.locator('[data-page="17"] [data-words]');
    await textLayer.waitFor({ state: 'attached' });
    const selectedText = await textLayer.evaluate((layer) => {
      getSelection()?.selectAllChildren(layer);
      return getSelection()?.toString() ?? '';
    });
    expect(selectedText).toMatch(/^Page 17 of the book\nThe library keeps its documents/);
    // The transparent text lies over the text of the image: 60 of 595 points from the left.
    const { x } = await measurePageHeading(page, 17);
    const pageBounds = await page.locator('[data-page="17"]').boundingBox();
    expect((x - (pageBounds?.x ?? 0)) / (pageBounds?.width ?? 1)).toBeCloseTo(60 / 595, 2);
    // Enter opens the first hit even while the search is still running.
    await page.getByLabel('在文档中查找').fill('page 21 of');
    await page.getByLabel('在文档中查找').press('Enter');
    await expectPageNumber(page, 21);
    await page.getByLabel('在文档中查找').fill('没有这个词');
    await page.getByText('没有找到').waitFor();
    await pressKeys(page, 'Escape');
    await expect.poll(() => page.getByRole('complementary', { name: '查找' }).count()).toBe(0);
  });

  test('outline and thumbnails open their pages, and the share dialog links to the current page', async () => {
    const page = await visit(`/document/${bookId}`);
    const navigationButton = page.getByRole('button', { name: '目录与缩略图' });
    await navigationButton.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Chapter 3/ }).click();
    await expectPageNumber(page, 21);
    await page.keyboard.press('Escape');
    await expect.poll(() => isFocused(navigationButton)).toBe(true);
    await navigationButton.click();
    await page.getByRole('button', { name: '缩略图', exact: true }).click();
    await page.getByRole('button', { name: '第 23 页' }).click();
    await expectPageNumber(page, 23);
    await page.locator('.reader-thumbnail img').first().waitFor();
    await saveScreenshot(page, 'desktop-thumbnails');
    await page.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name: '分享' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('链接', { exact: true }).inputValue()).toBe(`${address}/document/${bookId}#p=23`);
    await dialog.getByRole('img', { name: '链接的二维码' }).waitFor();
    expect(await dialog.getByLabel('嵌入代码', { exact: true }).inputValue()).toContain(
      `src="${address}/document/${bookId}?embed=1#p=23"`,
    );
    await saveScreenshot(page, 'desktop-share');
  });
});

describe('on a phone', () => {
  test('the toolbar opens outline and search, and double tap and pinch zoom', async () => {
    const page = await visit(`/document/${bookId}`, phone);
    await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
    await waitForHydration(page);
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
    const pageElement = page.locator('[data-page="12"]');
    const initialWidth = (await pageElement.boundingBox())?.width ?? 0;
    await doubleTap(page, 200, 400);
    await expect.poll(async () => (await pageElement.boundingBox())?.width).toBeGreaterThan(initialWidth * 2);
    await expectPageNumber(page, 12);
    await doubleTap(page, 200, 400);
    await expect.poll(async () => (await pageElement.boundingBox())?.width).toBeCloseTo(initialWidth, 0);
    const devtools = await page.context().newCDPSession(page);
    const dispatchTouch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance: number) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [1, 2].map((id) => ({ id, x: 195 + (id * 2 - 3) * distance, y: 400 })),
      });
    await dispatchTouch('touchStart', 40);
    for (const distance of [50, 60, 70, 80]) {
      await dispatchTouch('touchMove', distance);
      // The browser handles touch moves once a frame.
      await waitForTwoFrames(page);
    }
    await dispatchTouch('touchEnd', 80);
    await expect.poll(async () => (await pageElement.boundingBox())?.width).toBeGreaterThan(initialWidth * 1.8);
    await page.getByRole('button', { name: '更多', exact: true }).click();
    await page.getByRole('button', { name: '深色页面' }).click();
    await page.locator('[data-inverted]').first().waitFor();
    await saveScreenshot(page, 'phone-inverted');
  });
});

test('visitors see a notice at the end of the preview, and the owner reads and edits the whole document', async () => {
  await setSetting(ctx, 'converter.max_preview', '6');
  const page = await visit(`/document/${bookId}#p=30`);
  await expectPageNumber(page, 6);
  await page.getByText('还有 34 页没有显示').scrollIntoViewIfNeeded();
  await page.getByText('全文共 40 页，可以试读 6 页').waitFor();
  await saveScreenshot(page, 'desktop-preview');
  const ownerPage = await visitAs(publisher.headers, `/document/${bookId}#p=30`);
  await expectPageNumber(ownerPage, 30);
  await ownerPage.locator('[data-page="30"] [data-drawn]').first().waitFor();
  await ownerPage.getByRole('button', { name: '编辑' }).click();
  await ownerPage.getByRole('dialog').getByLabel('名称').fill(`${title}（新）`);
  await ownerPage.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await ownerPage.getByRole('heading', { name: `${title}（新）` }).waitFor();
  await setSetting(ctx, 'converter.max_preview', '0');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
