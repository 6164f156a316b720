import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { makeBook } from './reader-site.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit, visitAs, ctx, pool, errors } = site;
const publisher = await newPublisher(ctx);
const chapters = Array.from({ length: 12 }, (_, at) => `第${at + 1}章 山行\n`);
const rows = Array.from({ length: 640 }, (_, at) => `编号${at + 1},城市 ${at % 7}`);
const [book, text, table] = await Promise.all([
  publisher.publish(makeBook(12), '.pdf', { title: '桥梁的书' }),
  publisher.publish(Buffer.from(chapters.map((title) => title + '石径转入云深处。\n'.repeat(300)).join('\n')), '.txt', {
    title: '山行',
  }),
  publisher.publish(Buffer.from(['编号,城市', ...rows].join('\n')), '.csv', { title: '城市' }),
]);

const placeOf = async (user: { id: number }, id: number) => {
  const { rows } = await pool.query(
    'select page, progress from reading_positions where user_id = $1 and document_id = $2',
    [user.id, id],
  );
  return rows[0] as { page: number; progress: number } | undefined;
};
const place = (user: { id: number }, id: number) => expect.poll(() => placeOf(user, id));
const hash = (page: Page) => expect.poll(() => new URL(page.url()).hash);
/** How much of it the window shows. */
const seenPart = (element: Locator) =>
  element.evaluate((node) => {
    const { top, bottom, height } = node.getBoundingClientRect();
    return (Math.min(bottom, innerHeight) - Math.max(0, top)) / height;
  });

test('what is read to its end counts as read, leaves the home page and stays in the history', async () => {
  const reader = await newMember(ctx);
  const page = await visitAs(reader.headers, 'about:blank');
  // Until it is known where somebody was, nothing is noted.
  const placed = page.waitForResponse(/\/document\/position/);
  await page.goto(`/document/${book}`);
  await placed;
  await page.keyboard.press('End');
  await hash(page).toBe('#p=12');
  // Gone before the pause after which a place is noted.
  await page.goto('about:blank');
  await place(reader, book).toMatchObject({ page: 12, progress: expect.closeTo(94, -1) });
  await page.goto('/');
  const strip = page.getByRole('region', { name: '继续阅读' });
  await strip.getByRole('link', { name: '桥梁的书' }).click();
  await page.getByRole('img', { name: '第 12 页', exact: true }).waitFor();
  // All the way down to the comments, where no page is in sight any more.
  await page.keyboard.press('Control+End');
  await place(reader, book).toEqual({ page: 12, progress: 100 });
  await hash(page).toBe('#p=12');
  await page.goto(`/user/${reader.id}/history`);
  await page.getByText('已读完').waitFor();
  const [asked] = await Promise.all([
    page.waitForResponse(/\/document\/history\?/),
    page.getByRole('link', { name: '首页', exact: true }).first().click(),
  ]);
  expect(await asked.json()).toEqual({ total: 0, history: [] });
  expect(await strip.count()).toBe(0);
  // It opens where it ends, and has still been read.
  await page.goto(`/document/${book}`);
  await hash(page).toBe('#p=12');
  await saveScreenshot(page, 'finished');
});

test('whoever jumps to the end of a text has read it', async () => {
  const reader = await newMember(ctx);
  const flow = await visitAs(reader.headers, `/document/${text}`);
  const { pages } = (
    await pool.query(
      'select pages from renditions join documents on rendition_id = renditions.id where documents.id = $1',
      [text],
    )
  ).rows[0];
  await flow.locator('[data-section="1"]').waitFor();
  await flow.evaluate((last) => {
    window.location.hash = `#p=${last}`;
  }, pages);
  await flow.locator(`[data-section="${pages}"]`).waitFor();
  await flow.keyboard.press('Control+End');
  await place(reader, text).toEqual({ page: pages, progress: 100 });
});

test('whoever jumps to the end of a table has read it, and finds it there again', async () => {
  const reader = await newMember(ctx);
  const sheet = await visitAs(reader.headers, `/document/${table}`);
  const grid = sheet.getByRole('region', { name: /工作表/ });
  await grid.getByText('编号1', { exact: true }).waitFor();
  await grid.evaluate((node) => node.scrollTo(0, node.scrollHeight));
  await place(reader, table).toEqual({ page: 7, progress: 100 });
  await sheet.goto(`/document/${table}`);
  await grid.getByText('编号640', { exact: true }).waitFor();
});

test('what fits the window opens with its beginning, however often', async () => {
  const reader = await newMember(ctx);
  const short = await Promise.all([
    publisher.publish(makeBook(1, [842, 300]), '.pdf', { title: '一张卡片' }),
    publisher.publish(Buffer.from('便条\n石径转入云深处。\n'), '.txt', { title: '便条' }),
  ]);
  for (const id of short) {
    const page = await visitAs(reader.headers, `/document/${id}`);
    await place(reader, id).toEqual({ page: 1, progress: 100 });
    const asked = page.waitForResponse(/\/document\/position/);
    await page.goto(`/document/${id}`);
    await asked;
    // Longer than it takes to go to a place.
    await page.waitForTimeout(1_000);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  }
});

test('a place that could not be asked for is still there the next time', async () => {
  const reader = await newMember(ctx);
  const page = await visitAs(reader.headers, `/document/${book}`);
  await page.keyboard.press('End');
  await place(reader, book).toMatchObject({ page: 12 });
  const position = /\/document\/position/;
  const failed = { status: 503, json: { code: 503, message: '稍后再试', details: [] } };
  await page.route(position, (route) =>
    route.request().method() === 'GET' ? route.fulfill(failed) : route.continue(),
  );
  await page.goto(`/document/${book}`);
  await page.getByRole('img', { name: '第 1 页', exact: true }).waitFor();
  // Longer than the pause before a place is noted.
  await page.waitForTimeout(3_000);
  await page.goto('/');
  await page.unroute(position);
  await place(reader, book).toMatchObject({ page: 12 });
});

test('a document that was merely opened is in the history', async () => {
  const reader = await newMember(ctx);
  await Promise.all(
    [book, text, table].map(async (id) => {
      await visitAs(reader.headers, `/document/${id}`);
      await place(reader, id).toMatchObject({ page: 1 });
      expect((await placeOf(reader, id))?.progress).toBeLessThan(10);
    }),
  );
});

test.each([
  ['a desk', desktop],
  ['a phone', phone],
])('on %s the tabs of a table are in sight when it opens', async (name, device) => {
  const page = await visit(`/document/${table}`, device);
  const grid = page.getByRole('region', { name: /工作表/ });
  await grid.getByText('编号1', { exact: true }).waitFor();
  const tabs = page.getByRole('navigation', { name: '工作表' });
  expect(await seenPart(tabs)).toBe(1);
  const bars = page.getByRole('toolbar', { name: '阅读操作' });
  const below = (await bars.isVisible()) ? await bars.boundingBox() : null;
  const box = await tabs.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 800);
  await page.getByText('点一个单元格，这里显示它的全部内容').waitFor();
  await saveScreenshot(page, `sheet-${name}`);
  await grid.getByText('编号3', { exact: true }).click();
  await page.getByText('A4', { exact: true }).waitFor();
  // The keys do not lead behind the tabs.
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowDown');
  const active = await grid.locator('td[data-active]').boundingBox();
  expect((active?.y ?? 0) + (active?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  await saveScreenshot(page, `sheet-cell-${name}`);
});

test.each([
  ['a desk', desktop],
  ['a phone', phone],
])('on %s a link past the preview leads to where it ends, and says so', async (name, device) => {
  await setSetting(ctx, 'converter.max_preview', '3');
  await Promise.all(
    [book, text, table].map(async (id, at) => {
      const page = await visit(`/document/${id}#p=5`, device);
      const invitation = page.getByRole('heading', { name: /^还有 \d+ [页节]没有显示$/ });
      await expect.poll(() => seenPart(invitation)).toBe(1);
      await hash(page).toBe('#p=3');
      expect(await seenPart(invitation)).toBe(1);
      await saveScreenshot(page, `beyond-${at}-${name}`);
    }),
  );
  await setSetting(ctx, 'converter.max_preview', '0');
});

test('in the dark white pages are dimmed, and the page number keeps off the edge of a phone', async () => {
  const page = await visit(`/document/${book}`, { ...phone, colorScheme: 'dark' });
  const picture = page.getByRole('img', { name: '第 1 页', exact: true });
  const filter = () => picture.evaluate((node) => getComputedStyle(node).filter);
  await expect.poll(filter).toBe('brightness(0.85)');
  const counter = await page.getByText('/ 12', { exact: true }).boundingBox();
  expect(390 - (counter?.x ?? 0) - (counter?.width ?? 0)).toBeCloseTo(16, 0);
  await saveScreenshot(page, 'dark-phone');
  await page.getByRole('button', { name: '更多', exact: true }).click();
  await page.getByRole('button', { name: '深色页面' }).click();
  await expect.poll(filter).toContain('invert');
});

test('no page of a reader threw an error', () => {
  expect(errors).toEqual([]);
});
