import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually, keeperOf, login, ready, stored } from './public-site.ts';
import { administrator, desktop, phone, startSite } from './support/site.ts';
import { newAccount, PASSWORD } from './test-accounts.ts';

const site = await startSite();
const { visit, visitAs, visitAsAdministrator, address, errors } = site;
const keeper = keeperOf(site);
const STATEMENT = '馆藏整理，<b>周一</b> 再会。';

const demandLogin = () => keeper.set({ 'security.login_required': 'true' });
const close = () => keeper.set({ 'security.is_close': 'true', 'security.close_statement': STATEMENT });
afterEach(() => keeper.set({ 'security.login_required': 'false', 'security.is_close': 'false' }));

const get = (path: string, method = 'GET') => fetch(`${address}${path}`, { method, redirect: 'manual' });
const CLOSED_PAGES = [
  '/',
  '/category',
  '/category/1',
  '/search?wd=%E8%B1%86',
  '/upload',
  '/user',
  '/user/1',
  '/article',
  '/article/1',
  '/document/1',
  '/redirect/admin',
  '/admin',
  '/admin/config',
  '/404',
  '/no/such/page',
];
const category = (page: Page) => page.getByRole('heading', { level: 1, name: '教育考试' });

/** Counts the calls and the page loads from now on. */
function watch(page: Page) {
  const seen = { category: 0, settings: 0, all: 0, pages: 0 };
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) seen.all += 1;
    if (request.url().includes('/api/v1/category/list')) seen.category += 1;
    if (request.url().includes('/api/v1/settings')) seen.settings += 1;
  });
  page.on('framenavigated', () => {
    seen.pages += 1;
  });
  return seen;
}

describe('a site that asks for a login', () => {
  test('sends visitors from every page to the login, and tells them nothing of the site', async () => {
    await demandLogin();
    for (const path of CLOSED_PAGES)
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(path, method);
        const back = path === '/' ? '' : `?redirect=${encodeURIComponent(path)}`;
        expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, `/login${back}`]);
      }
    for (const path of ['/_root.data', '/category/1.data', '/login.data'])
      expect([path, (await get(path)).status]).toEqual([path, 302]);
    for (const path of ['/login', '/register', '/findpassword', '/article/agreement']) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(await answer.text()).not.toContain('教育考试');
    }
    expect(await (await get('/article/agreement')).text()).toContain('文库协议');
    const { status } = await get('/sitemap.xml');
    expect(status).toBe(401);
    expect(await (await get('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n');
    for (const path of ['/favicon.svg', '/static/images/avatar.svg'])
      expect((await get(path)).status).toBeLessThan(500);
  });

  test.each([
    ['1280 px', desktop],
    ['390 px', phone],
  ])('at %s leads back after the login, stays open on a reload and closes with the logout', async (at, device) => {
    const { username } = await newAccount(site, `gate${at.slice(0, 3)}`);
    const form = new FormData();
    const create = { width: 80, height: 60, channels: 3, background: '#23694a' } as const;
    const bytes = new Uint8Array(await sharp({ create }).png().toBuffer());
    form.append('file', new Blob([bytes], { type: 'image/png' }), 'cover.png');
    const url = `${address}/api/v1/upload/banner`;
    const headers = { ...(await site.as.root()) };
    const { data } = await (await fetch(url, { method: 'POST', headers, body: form })).json();
    await demandLogin();

    const page = await visit('/category/1', device);
    expect(page.url()).toBe(`${address}/login?redirect=%2Fcategory%2F1`);
    await ready(page);
    await page.getByText('登录后才能访问本站').waitFor();
    await login(page, { username, password: PASSWORD });
    await page.waitForURL(`${address}/category/1`);
    await category(page).waitFor();
    // The bar had no categories before; they come with the login.
    await eventually(async () => (await stored(page, 'douku:category')).list.length).toBeGreaterThan(40);
    const drawn = await page.evaluate(async (path) => {
      const image = new Image();
      image.src = path;
      await image.decode();
      return image.naturalWidth;
    }, data.path);
    expect(drawn).toBe(80);
    const answer = await page.reload();
    expect([answer?.status(), page.url()]).toEqual([200, `${address}/category/1`]);
    await category(page).waitFor();

    if (device === phone) await page.getByRole('button', { name: '菜单' }).click();
    else await page.getByRole('banner').getByRole('button', { name: username }).click();
    await page.getByText('退出登录').click();
    await page.waitForURL(`${address}/login?redirect=%2Fcategory%2F1`);
    await page.goto('/article');
    await page.waitForURL(`${address}/login?redirect=%2Farticle`);
    expect((await fetch(`${address}${data.path}`)).status).toBe(401);
  });

  test('lets in a browser that was logged in before it asked', async () => {
    const person = await newAccount(site, 'gate-before');
    const headers = await person.logIn();
    const page = await visitAs(headers, 'about:blank');
    await demandLogin();
    await page.goto('/category/1');
    await page.waitForURL(`${address}/category/1`);
    await category(page).waitFor();
    const answer = await page.reload();
    expect([answer?.status(), page.url()]).toEqual([200, `${address}/category/1`]);
  });

  test('asks whoever remembers a session that has ended to log in, once', async () => {
    const person = await newAccount(site, 'gate-ended');
    const page = await visitAs(await person.logIn(), 'about:blank');
    await site.pool.query('delete from sessions where user_id = $1', [person.id]);
    await demandLogin();
    const seen = watch(page);
    await page.goto('/category/1');
    await eventually(async () => (await stored(page, 'douku:user')).token).toBe('');
    await page.waitForTimeout(2_000);
    await page.getByLabel('用户名').waitFor();
    expect(page.url()).toBe(`${address}/login?redirect=%2Fcategory%2F1`);
    expect(seen.pages).toBeLessThan(8);
    expect((await stored(page, 'douku:user')).token).toBe('');
  });

  test('is asked for its settings every minute and for nothing else by a page that waits for a login', async () => {
    await demandLogin();
    const page = await visit('about:blank');
    await page.clock.install();
    await page.goto('/login?redirect=%2Fcategory%2F1');
    const seen = watch(page);
    for (let minute = 0; minute < 5; minute += 1) {
      await page.clock.runFor(60_000);
      await page.waitForTimeout(200);
    }
    expect([seen.category, seen.pages]).toEqual([0, 0]);
    expect(seen.settings).toBeGreaterThanOrEqual(4);
    expect(seen.all).toBeLessThanOrEqual(8);
  });

  test('turns an open tab away on its next step, and at the latest with the next refresh', async () => {
    const page = await visit('/article');
    await demandLogin();
    await page.getByRole('main').getByRole('link').first().click();
    await page.waitForURL(/\/login\?redirect=%2Farticle%2F/);

    await keeper.set({ 'security.login_required': 'false' });
    const waiting = await visit('about:blank');
    await waiting.clock.install();
    await waiting.goto('/category/1');
    await category(waiting).waitFor();
    await demandLogin();
    await waiting.clock.runFor(61_000);
    await waiting.waitForURL(`${address}/login?redirect=%2Fcategory%2F1`);
  });
});

describe('a closed site', () => {
  test('answers every page with 503, the words of the operator and a way to log in', async () => {
    await close();
    for (const path of [...CLOSED_PAGES, '/article/agreement'])
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(path, method);
        expect([path, answer.status]).toEqual([path, 503]);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('content-security-policy')).toMatch(/script-src/);
        const html = await answer.text();
        if (method === 'HEAD') continue;
        expect(html).toContain('站点暂时关闭');
        expect(html).toContain('馆藏整理，周一 再会。');
        expect(html).not.toContain('教育考试');
      }
    for (const path of ['/robots.txt', '/sitemap.xml', '/category/1.data', '/api/docs'])
      expect([path, (await get(path)).status]).toEqual([path, 503]);
    for (const path of ['/login', '/register', '/findpassword', '/favicon.svg'])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  test.each([
    ['1280 px', desktop],
    ['390 px', phone],
  ])('at %s lets the administrator in through its login, and nobody else', async (at, device) => {
    const { username } = await newAccount(site, `closed${at.slice(0, 3)}`);
    await close();
    const page = await visit('/category/1', device);
    await page.getByRole('heading', { name: '站点暂时关闭' }).waitFor();
    await page.getByRole('link', { name: '登录' }).click();
    await page.waitForURL(`${address}/login?redirect=%2Fcategory%2F1`);
    await ready(page);
    await login(page, { username, password: PASSWORD });
    await page.getByRole('alert').getByText('馆藏整理，周一 再会。').waitFor();
    expect((await stored(page, 'douku:user'))?.token ?? '').toBe('');
    await login(page, administrator);
    await page.waitForURL(`${address}/category/1`);
    await category(page).waitFor();
    const answer = await page.reload();
    expect([answer?.status(), page.url()]).toEqual([200, `${address}/category/1`]);
    await page.goto('/admin/dashboard');
    await page.getByRole('region', { name: '数据统计' }).waitFor();
  });

  test('tells somebody who was reading, and lets them go on once it is open again', async () => {
    const person = await newAccount(site, 'was-reading');
    const page = await visitAs(await person.logIn(), '/article');
    await close();
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByRole('heading', { name: '站点暂时关闭' }).waitFor();
    await page.getByText('馆藏整理，周一 再会。').waitFor();
    expect((await stored(page, 'douku:user')).user.id).toBe(person.id);
    await keeper.set({ 'security.is_close': 'false' });
    await page.goto('/category/1');
    await category(page).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'was-reading' }).waitFor();
  });

  test('is opened again from the back-office', async () => {
    await close();
    const page = await visitAsAdministrator('/login?redirect=%2Fadmin%2Fconfig%3Ftab%3Dsecurity');
    await page.waitForURL(`${address}/admin/config?tab=security`);
    const toggle = page.getByLabel('是否关闭网站');
    await eventually(() => toggle.getAttribute('aria-checked')).toBe('true');
    await toggle.click();
    await page
      .getByRole('button', { name: '提 交' })
      .or(page.getByRole('button', { name: '提交' }))
      .click();
    await page.getByText('配置更新成功').first().waitFor();
    expect((await get('/')).status).toBe(200);
  });
});

test('no page threw an error while the site was guarded', () => {
  expect(errors).toEqual([]);
});
