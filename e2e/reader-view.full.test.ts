import { afterAll, describe, expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { makeBookPdf } from './sample-books.ts';
import { findAxeProblems } from './support/axe.ts';
import { expectPageNumber, measurePageHeading, pressKeys } from './support/reader.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const { visit, visitAs, ctx, address, errors } = await startTestSite();
const publisher = await newPublisher(ctx);
const title = '阅读室里的一本书';
const bookId = await publisher.publish(makeBookPdf(40), '.pdf', { title, price: 3 });

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

describe('on desktop', () => {
  test('the reader stays on its page when zoom, window size, page layout, rotation or colors change', async () => {
    const page = await visit(`/document/${bookId}#p=8`);
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
    const chooseMenuItem = async (name: string) => {
      await page.getByRole('button', { name: '更多' }).click();
      // The open menu keeps its toolbar visible.
      await expect
        .poll(async () => (await page.getByRole('toolbar', { name: '阅读', exact: true }).boundingBox())?.y)
        .toBeGreaterThanOrEqual(0);
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('menu').waitFor({ state: 'hidden' });
    };
    await chooseMenuItem('双页');
    await expectPageNumber(page, 8);
    await saveScreenshot(page, 'desktop-double');
    await chooseMenuItem('双页');
    await chooseMenuItem('适合整页');
    await expect.poll(async () => (await page.locator('[data-page="8"]').boundingBox())?.height).toBeLessThan(760);
    await pressKeys(page, 'PageDown');
    await expectPageNumber(page, 9);
    await pressKeys(page, 'PageUp');
    await expectPageNumber(page, 8);
    await pressKeys(page, 'PageDown');
    await expectPageNumber(page, 9);
    await chooseMenuItem('顺时针旋转');
    await expectPageNumber(page, 9);
    const { width = 0, height = 1 } = (await page.locator('[data-page="9"]').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(height);
    await chooseMenuItem('深色页面');
    await saveScreenshot(page, 'desktop-inverted');
    // A high zoom loads the high-resolution page.
    await chooseMenuItem('顺时针旋转');
    await pressKeys(page, '0', '+', '+', '+', '+', '+', '+');
    await page.locator('[data-page="9"] [data-drawn*="/l/"]').waitFor();
  });
});

test('other sites may embed the reader, but no other page of the site', async () => {
  const fetchHeaders = async (path: string) => (await fetch(address + path)).headers;
  const embeddedHeaders = await fetchHeaders(`/document/${bookId}?embed=1`);
  expect(embeddedHeaders.get('content-security-policy')).toContain('frame-ancestors *');
  expect(embeddedHeaders.get('x-frame-options')).toBeNull();
  for (const path of [`/document/${bookId}`, '/?embed=1', `/user/1?embed=1`, `/login?embed=1`]) {
    const headers = await fetchHeaders(path);
    expect(headers.get('content-security-policy'), path).toContain(`frame-ancestors 'none'`);
    expect(headers.get('x-frame-options'), path).toBe('DENY');
  }
  const page = await visitAs(publisher.headers, `/document/${bookId}?embed=1#p=4`);
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
  const page = await visit(`/document/${bookId}`, options);
  await page.locator('[data-page="1"] [data-words]').waitFor({ state: 'attached' });
  const problemsByPart = { page: await findAxeProblems(page), panel: [] as string[] };
  await page.getByRole('button', { name: /^目录/ }).first().click();
  await page.getByRole('button', { name: /^Chapter 1/ }).waitFor();
  problemsByPart.panel = await findAxeProblems(page);
  expect(problemsByPart).toEqual({ page: [], panel: [] });
  await saveScreenshot(page, `axe-${colorScheme}`);
});
