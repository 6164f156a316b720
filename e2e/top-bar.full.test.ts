import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { createAdminApi } from './admin-api.ts';
import { eventually, waitForHydration } from './page-helpers.ts';
import { makeBookPdf } from './sample-books.ts';
import { desktop, phone, startTestSite, tablet } from './support/site.ts';

const site = await startTestSite();
const { visit, ctx, errors, address } = site;
const adminApi = createAdminApi(site);

test('the top bar is 64 px high, floats over the hero, and becomes solid when the page scrolls', async () => {
  const page = await visit('/');
  const bar = page.getByRole('banner');
  expect((await bar.boundingBox())?.height).toBe(64);
  expect(await bar.getAttribute('data-top-bar')).toBe('floating');
  await page.mouse.wheel(0, 400);
  await eventually(() => bar.getAttribute('data-top-bar')).toBe('solid');
  expect((await bar.boundingBox())?.y).toBe(0);
});

test('the top bar of other pages shows the channel dropdown and a search box instead of the categories', async () => {
  const page = await visit('/article/about');
  const bar = page.getByRole('banner');
  expect(await bar.getByRole('link', { name: '教育考试' }).count()).toBe(0);
  expect(await bar.getByPlaceholder('搜索文档...').count()).toBe(1);
  await bar.getByRole('button', { name: '频道分类' }).click();
  const menu = page.getByRole('menu', { name: '频道分类' });
  await menu.getByRole('menuitem', { name: '医学健康' }).waitFor();
  // Escape closes the menu only after the menu has received the focus.
  await eventually(() => menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await eventually(() => menu.count()).toBe(0);
  await bar.getByRole('button', { name: '频道分类' }).press('ArrowDown');
  await menu.getByRole('menuitem', { name: /计算机/ }).click();
  await page.getByRole('heading', { name: '计算机', level: 1 }).waitFor();
});

test('the search page hides the top bar on desktop and shows it on tablet and phone', async () => {
  const desktopPage = await visit('/search?wd=豆', desktop);
  expect(await desktopPage.locator('[data-top-bar]').isVisible()).toBe(false);
  await desktopPage.getByPlaceholder('请输入关键词').filter({ visible: true }).waitFor();
  for (const device of [tablet, phone]) {
    const page = await visit('/search?wd=豆', device);
    expect(await page.locator('[data-top-bar]').isVisible()).toBe(true);
  }
});

test('the search page below 992 px keeps the search box of the top bar, in the drawer on phones', async () => {
  for (const width of [768, 991]) {
    const page = await visit('/search?wd=豆', { viewport: { width, height: 900 } });
    const box = page.getByRole('banner').getByPlaceholder('搜索文档...');
    await box.fill('合同');
    await box.press('Enter');
    await page.waitForURL(`${address}/search?wd=${encodeURIComponent('合同')}`);
  }
  const page = await visit('/search?wd=豆', phone);
  await page.getByRole('button', { name: '菜单' }).click();
  await page.getByRole('dialog').getByPlaceholder('搜索文档...').waitFor();
});

test.each([768, 820, 991, 1100, 1280])(
  'at %i px the top bar of the home page shows six categories that do not overlap',
  async (width) => {
    const page = await visit('/', { viewport: { width, height: 900 } });
    const links = page.getByRole('navigation', { name: '主导航' }).getByRole('link').filter({ hasNotText: '首页' });
    expect(await links.count()).toBe(6);
    const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
    for (const [index, box] of boxes.entries()) {
      expect(box?.width).toBeGreaterThan(40);
      const previousBox = index > 0 ? boxes[index - 1] : null;
      if (previousBox) expect(box?.x).toBeGreaterThanOrEqual(previousBox.x + previousBox.width - 1);
    }
    const last = boxes.at(-1);
    const login = await page.getByRole('banner').getByRole('link', { name: '登录' }).boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(login?.x ?? 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  },
);

test('the top bar stays at the top of the window on every page of the public layout', async () => {
  const publisher = await newPublisher(ctx);
  const id = await publisher.publish(makeBookPdf(12), '.pdf', { title: '顶栏下的文字版' });
  for (const device of [desktop, tablet, phone])
    for (const path of ['/category', '/article', '/login', '/user/1', `/document/${id}/text`]) {
      const page = await visit(path, device);
      await page.addStyleTag({ content: 'main { min-height: 3000px !important }' });
      await page.evaluate(() => window.scrollTo(0, 1500));
      await eventually(() => page.evaluate(() => window.scrollY)).toBe(1500);
      expect([path, (await page.getByRole('banner').first().boundingBox())?.y]).toEqual([path, 0]);
    }
});

test.each([
  ['1280 px', desktop],
  ['820 px', tablet],
  ['390 px', phone],
])(
  'at %s the top bar stays above the reader, whose toolbar lies below it and hides on scrolling down',
  async (_, device) => {
    const publisher = await newPublisher(ctx);
    const id = await publisher.publish(makeBookPdf(12), '.pdf', { title: '固定的顶栏' });
    const page = await visit(`/document/${id}`, device);
    await waitForHydration(page);
    const topBar = page.getByRole('banner').first();
    const readerToolbar = page.getByRole('toolbar', { name: '阅读', exact: true });
    await page.evaluate(() => window.scrollTo(0, 2_000));
    await eventually(async () => (await topBar.boundingBox())?.y).toBe(0);
    const { height = 0 } = (await topBar.boundingBox()) ?? {};
    expect(height).toBe(48);
    await eventually(async () => (await readerToolbar.boundingBox())?.y).toBe(height);
    await page.mouse.move(200, 500);
    if (device === desktop) {
      await page.mouse.wheel(0, 600);
      await eventually(async () => (await readerToolbar.boundingBox())?.y ?? 0).toBeLessThan(0);
      expect((await topBar.boundingBox())?.y).toBe(0);
    }
    const embeddedPage = await visit(`/document/${id}?embed=1`, device);
    await waitForHydration(embeddedPage);
    expect(await embeddedPage.locator('[data-top-bar]').count()).toBe(0);
    await embeddedPage.evaluate(() => window.scrollTo(0, 2_000));
    const embeddedToolbar = embeddedPage.getByRole('toolbar', { name: '阅读', exact: true });
    await eventually(async () => (await embeddedToolbar.boundingBox())?.y).toBe(0);
  },
);

test('a page opened by its number begins below the top bar and the toolbar of the reader', async () => {
  const publisher = await newPublisher(ctx);
  const id = await publisher.publish(makeBookPdf(12), '.pdf', { title: '从页首开始' });
  const page = await visit(`/document/${id}`);
  await waitForHydration(page);
  await page.getByLabel(/^页码/).fill('7');
  await page.keyboard.press('Enter');
  const pageElement = page.locator('[data-page="7"]');
  await eventually(async () => Math.round((await pageElement.boundingBox())?.y ?? 0)).toBe(108);
});

test('the top bar shows the first six enabled top-level categories without a disabled one', async () => {
  const readCategoryTitles = async () =>
    (await visit('/')).getByRole('navigation', { name: '主导航' }).getByRole('link').allTextContents();
  const titlesBefore = await readCategoryTitles();
  expect(titlesBefore).toHaveLength(7);
  const { category } = await adminApi.send('GET', '/category/list?parent_id=0');
  const { id } = category.find(({ title }: { title: string }) => title === titlesBefore[3]);
  await adminApi.send('PUT', '/category', { id, enable: false });
  const titlesAfter = await readCategoryTitles();
  expect(titlesAfter).toHaveLength(7);
  expect(titlesAfter.slice(0, 6)).toEqual([...titlesBefore.slice(0, 3), ...titlesBefore.slice(4)]);
  await adminApi.send('PUT', '/category', { id, enable: true });
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
