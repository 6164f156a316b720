import type { Locator, Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { makeBookPdf } from './sample-books.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, pool, errors } = site;
const publisher = await newPublisher(ctx);
const chapters = Array.from({ length: 12 }, (_, index) => `第${index + 1}章 山行\n`);
const rows = Array.from({ length: 640 }, (_, index) => `编号${index + 1},城市 ${index % 7}`);
const [bookId, textId, tableId] = await Promise.all([
  publisher.publish(makeBookPdf(12), '.pdf', { title: '桥梁的书' }),
  publisher.publish(Buffer.from(chapters.map((title) => title + '石径转入云深处。\n'.repeat(300)).join('\n')), '.txt', {
    title: '山行',
  }),
  publisher.publish(Buffer.from(['编号,城市', ...rows].join('\n')), '.csv', { title: '城市' }),
]);

const readPosition = async (user: { id: number }, id: number) => {
  const { rows } = await pool.query(
    'select page, progress from reading_positions where user_id = $1 and document_id = $2',
    [user.id, id],
  );
  return rows[0] as { page: number; progress: number } | undefined;
};
const expectPosition = (user: { id: number }, id: number) => expect.poll(() => readPosition(user, id));
const POSITION_PATH = /\/document\/position/;
const isPositionSaved = (request: Request) => request.method() === 'PUT' && POSITION_PATH.test(request.url());
const expectHash = (page: Page) => expect.poll(() => new URL(page.url()).hash);
/** The fraction of the height of the element that the window shows. */
const visibleFraction = (element: Locator) =>
  element.evaluate((node) => {
    const { top, bottom, height } = node.getBoundingClientRect();
    return (Math.min(bottom, innerHeight) - Math.max(0, top)) / height;
  });

test('a document read to its end counts as read, leaves the home page and stays in the history', async () => {
  const reader = await newMember(ctx);
  const page = await visitAs(reader.headers, 'about:blank');
  // Leaves the page before the delay after which the reader saves the position. The reader saves no position before it has
  // the stored one, which a slow browser may not have processed when the key is pressed; then the book is opened again.
  const readToTheEndAndLeave = async () => {
    const positionLoaded = page.waitForResponse(POSITION_PATH);
    await page.goto(`/document/${bookId}`);
    await positionLoaded;
    await page.keyboard.press('End');
    await expectHash(page).toBe('#p=12');
    await page.goto('about:blank');
    return readPosition(reader, bookId);
  };
  await expect.poll(readToTheEndAndLeave).toMatchObject({ page: 12, progress: expect.closeTo(94, -1) });
  await page.goto('/');
  const continueReading = page.getByRole('region', { name: '继续阅读' });
  await continueReading.getByRole('link', { name: '桥梁的书' }).click();
  await page.getByRole('img', { name: '第 12 页', exact: true }).waitFor();
  // Scrolls down to the comments, where no page is visible.
  await page.keyboard.press('Control+End');
  await expectPosition(reader, bookId).toEqual({ page: 12, progress: 100 });
  await expectHash(page).toBe('#p=12');
  await page.goto(`/user/${reader.id}/history`);
  await page.getByText('已读完').waitFor();
  const [historyResponse] = await Promise.all([
    page.waitForResponse(/\/document\/history\?/),
    page.getByRole('link', { name: '首页', exact: true }).first().click(),
  ]);
  expect(await historyResponse.json()).toEqual({ total: 0, history: [] });
  expect(await continueReading.count()).toBe(0);
  // The document opens at its end and still counts as read.
  await page.goto(`/document/${bookId}`);
  await expectHash(page).toBe('#p=12');
  await saveScreenshot(page, 'finished');
});

test('jumping to the end of a text document marks it as read', async () => {
  const reader = await newMember(ctx);
  const textPage = await visitAs(reader.headers, `/document/${textId}`);
  const { pages } = (
    await pool.query(
      'select pages from renditions join documents on rendition_id = renditions.id where documents.id = $1',
      [textId],
    )
  ).rows[0];
  await textPage.locator('[data-section="1"]').waitFor();
  await textPage.evaluate((last) => {
    window.location.hash = `#p=${last}`;
  }, pages);
  await textPage.locator(`[data-section="${pages}"]`).waitFor();
  await textPage.keyboard.press('Control+End');
  await expectPosition(reader, textId).toEqual({ page: pages, progress: 100 });
});

test('jumping to the end of a table marks it as read, and the next visit opens its end', async () => {
  const reader = await newMember(ctx);
  const tablePage = await visitAs(reader.headers, `/document/${tableId}`);
  const grid = tablePage.getByRole('region', { name: /工作表/ });
  await grid.getByText('编号1', { exact: true }).waitFor();
  await grid.evaluate((node) => node.scrollTo(0, node.scrollHeight));
  await expectPosition(reader, tableId).toEqual({ page: 7, progress: 100 });
  await tablePage.goto(`/document/${tableId}`);
  await grid.getByText('编号640', { exact: true }).waitFor();
});

test('a document that fits into the window opens at its start on every visit', async () => {
  const reader = await newMember(ctx);
  const shortDocumentIds = await Promise.all([
    publisher.publish(makeBookPdf(1, [842, 300]), '.pdf', { title: '一张卡片' }),
    publisher.publish(Buffer.from('便条\n石径转入云深处。\n'), '.txt', { title: '便条' }),
  ]);
  for (const id of shortDocumentIds) {
    const page = await visitAs(reader.headers, `/document/${id}`);
    await expectPosition(reader, id).toEqual({ page: 1, progress: 100 });
    await page.goto('about:blank');
    // The reader saves the position after it has restored the stored one.
    const positionSaved = page.waitForRequest(isPositionSaved);
    await page.goto(`/document/${id}`);
    await positionSaved;
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  }
});

test('a reading position that failed to load is not overwritten', async () => {
  const reader = await newMember(ctx);
  const page = await visitAs(reader.headers, `/document/${bookId}`);
  await page.keyboard.press('End');
  await expectPosition(reader, bookId).toMatchObject({ page: 12 });
  await page.goto('about:blank');
  const failure = { status: 503, json: { code: 503, message: '稍后再试', details: [] } };
  await page.route(POSITION_PATH, (route) =>
    route.request().method() === 'GET' ? route.fulfill(failure) : route.continue(),
  );
  let savedCount = 0;
  page.on('request', (request) => {
    if (isPositionSaved(request)) savedCount += 1;
  });
  await page.clock.install();
  const positionFailed = page.waitForResponse(POSITION_PATH);
  await page.goto(`/document/${bookId}`);
  await (await positionFailed).finished();
  await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
  // Longer than the delay after which the reader saves a position; when the page is left it saves a pending one.
  await page.clock.runFor(3_000);
  await page.goto('/');
  expect(savedCount).toBe(0);
  await expectPosition(reader, bookId).toMatchObject({ page: 12 });
});

test('opening a document without scrolling stores a reading position at its start', async () => {
  const reader = await newMember(ctx);
  await Promise.all(
    [bookId, textId, tableId].map(async (id) => {
      await visitAs(reader.headers, `/document/${id}`);
      await expectPosition(reader, id).toMatchObject({ page: 1 });
      expect((await readPosition(reader, id))?.progress).toBeLessThan(10);
    }),
  );
});

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])('on %s the tabs of a table are visible when it opens', async (name, device) => {
  const page = await visit(`/document/${tableId}`, device);
  const grid = page.getByRole('region', { name: /工作表/ });
  await grid.getByText('编号1', { exact: true }).waitFor();
  const tabs = page.getByRole('navigation', { name: '工作表' });
  expect(await visibleFraction(tabs)).toBe(1);
  const toolbar = page.getByRole('toolbar', { name: '阅读操作' });
  const toolbarBounds = (await toolbar.isVisible()) ? await toolbar.boundingBox() : null;
  const tabBounds = await tabs.boundingBox();
  expect((tabBounds?.y ?? 0) + (tabBounds?.height ?? 0)).toBeLessThanOrEqual(toolbarBounds?.y ?? 800);
  await page.getByText('点一个单元格，这里显示它的全部内容').waitFor();
  await saveScreenshot(page, `sheet-${name}`);
  await grid.getByText('编号3', { exact: true }).click();
  await page.getByText('A4', { exact: true }).waitFor();
  // The tabs do not cover a cell that the keys select.
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowDown');
  const activeCell = await grid.locator('td[data-active]').boundingBox();
  expect((activeCell?.y ?? 0) + (activeCell?.height ?? 0)).toBeLessThanOrEqual(tabBounds?.y ?? 0);
  await saveScreenshot(page, `sheet-cell-${name}`);
});

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])('on %s a link past the preview opens the end of the preview and shows its notice', async (name, device) => {
  await setSetting(ctx, 'converter.max_preview', '3');
  await Promise.all(
    [bookId, textId, tableId].map(async (id, index) => {
      const page = await visit(`/document/${id}#p=5`, device);
      const previewNotice = page.getByRole('heading', { name: /^还有 \d+ [页节]没有显示$/ });
      await expect.poll(() => visibleFraction(previewNotice)).toBe(1);
      await expectHash(page).toBe('#p=3');
      expect(await visibleFraction(previewNotice)).toBe(1);
      await saveScreenshot(page, `beyond-${index}-${name}`);
    }),
  );
  await setSetting(ctx, 'converter.max_preview', '0');
});

test('in dark mode page images are dimmed, and on a phone the page number keeps 16 px from the edge', async () => {
  const page = await visit(`/document/${bookId}`, { ...phone, colorScheme: 'dark' });
  const pageImage = page.getByRole('img', { name: '第 1 页', exact: true });
  const readFilter = () => pageImage.evaluate((node) => getComputedStyle(node).filter);
  await expect.poll(readFilter).toBe('brightness(0.85)');
  const pageNumber = await page.getByText('/ 12', { exact: true }).boundingBox();
  expect(390 - (pageNumber?.x ?? 0) - (pageNumber?.width ?? 0)).toBeCloseTo(16, 0);
  await saveScreenshot(page, 'dark-phone');
  await page.getByRole('button', { name: '更多', exact: true }).click();
  await page.getByRole('button', { name: '深色页面' }).click();
  await expect.poll(readFilter).toContain('invert');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
