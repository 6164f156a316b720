import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { eventually } from './page-helpers.ts';
import { findAxeProblems, findAxeProblemsOnDesktopAndPhone } from './support/axe.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, visitAsAdministrator, address, as } = site;
const adminApi = createAdminApi(site);
/** The WCAG contrast ratio of white text at 90 % opacity on a background. */
function whiteTextContrast(background: number[]): number {
  const luminance = (rgb: number[]) => {
    const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
      const channel = value / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const textColor = background.map((value) => 0.9 * 255 + 0.1 * value);
  return (luminance(textColor) + 0.05) / (luminance(background) + 0.05);
}

const pages = [
  '/',
  '/category',
  '/category/1',
  '/article',
  '/article/about',
  '/login',
  '/register',
  '/findpassword',
  '/search?wd=豆',
  '/upload',
  '/user/1',
  '/404',
];

describe('on desktop and phone, in light and dark', () => {
  let visitor: Page;
  beforeAll(async () => {
    visitor = await visit('/404');
  });
  afterAll(() => visitor.context().close());

  test.each(pages)('%s has no serious accessibility problem', async (path) => {
    await visitor.goto(path);
    expect(await findAxeProblemsOnDesktopAndPhone(visitor)).toEqual([]);
  });
});

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('menus, drawer and dialog at %s have no serious accessibility problem', async (_, device) => {
  const page = await visitAsAdministrator('/article', device);
  if (device === phone) {
    await page.getByRole('button', { name: '菜单' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: '个人资料' }).click();
  } else {
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByRole('menu').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.getByRole('menuitem', { name: '个人资料' }).click();
  }
  await page.getByText('登录 IP').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
});

describe('with banners behind the hero', () => {
  beforeAll(async () => {
    await adminApi.setSettings({ 'system.recommend_words': '合同,简历' });
    for (const [title, background] of [
      ['白色', '#ffffff'],
      ['绿色', '#2b5a46'],
    ] as const) {
      const create = { width: 1200, height: 420, channels: 3, background } as const;
      const form = new FormData();
      const bytes = new Uint8Array(await sharp({ create }).png().toBuffer());
      form.append('file', new Blob([bytes], { type: 'image/png' }), 'b.png');
      const response = await fetch(`${address}/api/v1/upload/banner`, {
        method: 'POST',
        headers: { ...(await as.root()) },
        body: form,
      });
      const { data } = (await response.json()) as { data: { path: string } };
      await adminApi.send('POST', '/banner', { title, path: data.path, url: '/category' });
    }
  });

  test('the home page has no serious accessibility problem', async () => {
    const page = await visit('/');
    expect(await findAxeProblems(page)).toEqual([]);
  });

  test.each([
    ['1280 px', desktop],
    ['390 px', phone],
  ])('at %s the text over a white banner has a contrast of at least 4.5:1', async (_, device) => {
    const page = await visit('/', device);
    await page
      .locator('main img')
      .first()
      .evaluate((image: HTMLImageElement) => image.decode());
    const hero = page.locator('main > section').first();
    const texts = [
      page.getByRole('heading', { level: 1 }),
      hero.locator('h1 + p'),
      hero.getByText('大家在搜'),
      page.getByRole('region', { name: '横幅' }).getByRole('link'),
      page.getByRole('banner').getByRole('link', { name: '豆库' }),
    ];
    const boxes = await Promise.all(texts.map((text) => text.boundingBox()));
    // Hides the text, so that the screenshot shows only its background.
    await page.addStyleTag({
      content: 'main > section *, header * { color: transparent !important }',
    });
    for (const clip of boxes) {
      if (!clip) throw new Error('a text is not visible');
      const { channels } = await sharp(await page.screenshot({ clip }))
        .removeAlpha()
        .stats();
      expect(whiteTextContrast(channels.map(({ max }) => max))).toBeGreaterThanOrEqual(4.5);
    }
    await page.context().close();
  });

  test('the carousel moves by button and arrow key, and is paused under reduced motion', async () => {
    const page = await visit('/');
    const carousel = page.getByRole('region', { name: '横幅' });
    const readBannerTitle = () => carousel.getByRole('link').textContent();
    const firstTitle = await readBannerTitle();
    await page.getByRole('button', { name: '开始轮播' }).waitFor();
    await page.getByRole('button', { name: '下一张' }).click();
    const secondTitle = await readBannerTitle();
    expect(secondTitle).not.toBe(firstTitle);
    await page.keyboard.press('ArrowLeft');
    await eventually(readBannerTitle).toBe(firstTitle);
  });

  test('the carousel advances by itself and stops when paused', async () => {
    const page = await visit('about:blank', { ...desktop, reducedMotion: 'no-preference' });
    await page.clock.install();
    await page.goto('/');
    const readBannerTitle = () => page.getByRole('region', { name: '横幅' }).getByRole('link').textContent();
    const firstTitle = await readBannerTitle();
    await page.clock.runFor(6500);
    const secondTitle = await readBannerTitle();
    expect(secondTitle).not.toBe(firstTitle);
    await page.getByRole('button', { name: '暂停轮播' }).click();
    await page.mouse.move(640, 700);
    await page.clock.runFor(20_000);
    expect(await readBannerTitle()).toBe(secondTitle);
  });
});
