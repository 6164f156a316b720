import { afterAll, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, errors } = site;
const adminApi = createAdminApi(site);

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('only the home page shows friend links, and they open in a new tab', async () => {
  await adminApi.send('POST', '/friendlink', { title: '开放书库', link: 'https://books.example/' });
  await adminApi.send('POST', '/friendlink', {
    title: '停用的',
    link: 'https://off.example/',
    enable: false,
  });
  const page = await visit('/');
  const friendLinks = page.getByRole('region', { name: '友情链接' });
  expect(await friendLinks.getByRole('link').allTextContents()).toEqual(['开放书库']);
  expect(await friendLinks.getByRole('link').getAttribute('target')).toBe('_blank');
  await page.goto('/category');
  expect(await friendLinks.count()).toBe(0);
});

test('a desktop page is 1200 px wide and never narrower than 1100; smaller windows do not scroll sideways', async () => {
  const page = await visit('/category', { viewport: { width: 1600, height: 900 } });
  const card = page.locator('main .card').first();
  expect((await card.boundingBox())?.width).toBe(1200);
  await page.setViewportSize({ width: 1000, height: 800 });
  expect(await page.evaluate(() => document.body.scrollWidth)).toBe(1100);
  for (const width of [991, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});
