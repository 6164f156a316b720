import { afterAll, expect, test } from 'vitest';
import { keeperOf } from './public-site.ts';
import { startSite } from './support/site.ts';

const site = await startSite();
const { visit, errors } = site;
const keeper = keeperOf(site);

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('friend links stand on the home page alone and open in a new tab', async () => {
  await keeper.send('POST', '/friendlink', { title: '开放书库', link: 'https://books.example/' });
  await keeper.send('POST', '/friendlink', {
    title: '停用的',
    link: 'https://off.example/',
    enable: false,
  });
  const page = await visit('/');
  const card = page.getByRole('region', { name: '友情链接' });
  expect(await card.getByRole('link').allTextContents()).toEqual(['开放书库']);
  expect(await card.getByRole('link').getAttribute('target')).toBe('_blank');
  await page.goto('/category');
  expect(await card.count()).toBe(0);
});

test('a desktop page is 1200 px wide and never narrower than 1100; smaller windows do not scroll sideways', async () => {
  const page = await visit('/category', { viewport: { width: 1600, height: 900 } });
  const inner = page.locator('main .card').first();
  expect((await inner.boundingBox())?.width).toBe(1200);
  await page.setViewportSize({ width: 1000, height: 800 });
  expect(await page.evaluate(() => document.body.scrollWidth)).toBe(1100);
  for (const width of [991, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});
