import { afterAll, describe, expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { makeBook } from './reader-site.ts';
import { findAxeProblems } from './support/axe.ts';
import { expectPageNumber, measurePageHeading, pressKeys } from './support/reader.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startSite } from './support/site.ts';

const { visit, visitAs, ctx, address, errors } = await startSite();
const publisher = await newPublisher(ctx);
const title = '阅读室里的一本书';
const book = await publisher.publish(makeBook(40), '.pdf', { title, price: 3 });

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

describe('at a desk', () => {
  test('whatever changes the pages, the place stays', async () => {
    const page = await visit(`/document/${book}#p=8`);
    const before = await measurePageHeading(page, 8);
    await pressKeys(page, '+', '+');
    await expect.poll(async () => (await measurePageHeading(page, 8)).width).toBeGreaterThan(before.width * 1.1);
    await expectPageNumber(page, 8);
    await pressKeys(page, '0');
    await expect.poll(async () => (await measurePageHeading(page, 8)).width).toBeCloseTo(before.width, 0);
    expect(Math.abs((await measurePageHeading(page, 8)).y - before.y)).toBeLessThan(3);
    await page.setViewportSize({ width: 1000, height: 700 });
    await expectPageNumber(page, 8);
    await page.setViewportSize(desktop.viewport);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: '更多' }).click();
      // The menu hangs from the bar, which must not leave with it.
      await expect
        .poll(async () => (await page.getByRole('toolbar', { name: '阅读', exact: true }).boundingBox())?.y)
        .toBeGreaterThanOrEqual(0);
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('menu').waitFor({ state: 'hidden' });
    };
    await choose('双页');
    await expectPageNumber(page, 8);
    await saveScreenshot(page, 'desk-double');
    await choose('双页');
    await choose('适合整页');
    await expect.poll(async () => (await page.locator('[data-page="8"]').boundingBox())?.height).toBeLessThan(760);
    await pressKeys(page, 'PageDown');
    await expectPageNumber(page, 9);
    await pressKeys(page, 'PageUp');
    await expectPageNumber(page, 8);
    await pressKeys(page, 'PageDown');
    await expectPageNumber(page, 9);
    await choose('顺时针旋转');
    await expectPageNumber(page, 9);
    const { width = 0, height = 1 } = (await page.locator('[data-page="9"]').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(height);
    await choose('深色页面');
    await saveScreenshot(page, 'desk-inverted');
    // Looked at closely, a page is drawn larger.
    await choose('顺时针旋转');
    await pressKeys(page, '0', '+', '+', '+', '+', '+', '+');
    await page.locator('[data-page="9"] [data-drawn*="/l/"]').waitFor();
  });
});

test('others may show the reader within their pages, and nothing else of the site', async () => {
  const headersOf = async (path: string) => (await fetch(address + path)).headers;
  const embedded = await headersOf(`/document/${book}?embed=1`);
  expect(embedded.get('content-security-policy')).toContain('frame-ancestors *');
  expect(embedded.get('x-frame-options')).toBeNull();
  for (const path of [`/document/${book}`, '/?embed=1', `/user/1?embed=1`, `/login?embed=1`]) {
    const headers = await headersOf(path);
    expect(headers.get('content-security-policy'), path).toContain(`frame-ancestors 'none'`);
    expect(headers.get('x-frame-options'), path).toBe('DENY');
  }
  const page = await visitAs(publisher.headers, `/document/${book}?embed=1#p=4`);
  await expectPageNumber(page, 4);
  expect(await page.getByRole('button', { name: /编辑|删除/ }).count()).toBe(0);
  expect(await page.getByRole('contentinfo').count()).toBe(0);
  expect(await page.getByRole('link', { name: title }).getAttribute('target')).toBe('_blank');
});

test.each([
  ['light at 1280 px', desktop, 'light' as const],
  ['dark at 390 px', phone, 'dark' as const],
])('the reader in %s has no serious accessibility problem', async (_, device, colorScheme) => {
  const options = { ...device, colorScheme };
  const page = await visit(`/document/${book}`, options);
  await page.locator('[data-page="1"] [data-words]').waitFor({ state: 'attached' });
  const found = { page: await findAxeProblems(page), panel: [] as string[] };
  await page.getByRole('button', { name: /^目录/ }).first().click();
  await page.getByRole('button', { name: /^Chapter 1/ }).waitFor();
  found.panel = await findAxeProblems(page);
  expect(found).toEqual({ page: [], panel: [] });
  await saveScreenshot(page, `axe-${colorScheme}`);
});
