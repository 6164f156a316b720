import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { eventually, readStoredState, submitLoginForm, waitForHydration } from './page-helpers.ts';
import { administrator, desktop, phone, startTestSite } from './support/site.ts';
import { newAccount, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, visitAs, visitAsAdministrator, address, errors } = site;
const adminApi = createAdminApi(site);
const CLOSE_STATEMENT = '馆藏整理，<b>周一</b> 再会。';

const requireLogin = () => adminApi.setSettings({ 'security.login_required': 'true' });
const closeSite = () =>
  adminApi.setSettings({ 'security.is_close': 'true', 'security.close_statement': CLOSE_STATEMENT });
afterEach(() => adminApi.setSettings({ 'security.login_required': 'false', 'security.is_close': 'false' }));

const fetchPath = (path: string, method = 'GET') => fetch(`${address}${path}`, { method, redirect: 'manual' });
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
const categoryHeading = (page: Page) => page.getByRole('heading', { level: 1, name: '教育考试' });

/** Counts API calls and page loads from now on. */
function countTraffic(page: Page) {
  const counts = { category: 0, settings: 0, all: 0, pages: 0 };
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) counts.all += 1;
    if (request.url().includes('/api/v1/category/list')) counts.category += 1;
    if (request.url().includes('/api/v1/settings')) counts.settings += 1;
  });
  page.on('framenavigated', () => {
    counts.pages += 1;
  });
  return counts;
}

/** Advances the time of the page by a minute, after which it refetches the settings, and waits for the response. */
async function refetchSettings(page: Page): Promise<void> {
  const response = page.waitForResponse(/\/api\/v1\/settings/);
  await page.clock.runFor(60_000);
  await (await response).finished();
}

describe('a site that requires a login', () => {
  test('redirects visitors from every page to the login and reveals no content', async () => {
    await requireLogin();
    for (const path of CLOSED_PAGES)
      for (const method of ['GET', 'HEAD']) {
        const response = await fetchPath(path, method);
        const query = path === '/' ? '' : `?redirect=${encodeURIComponent(path)}`;
        expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, `/login${query}`]);
      }
    for (const path of ['/_root.data', '/category/1.data', '/login.data'])
      expect([path, (await fetchPath(path)).status]).toEqual([path, 302]);
    for (const path of ['/login', '/register', '/findpassword', '/article/agreement']) {
      const response = await fetchPath(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).not.toContain('教育考试');
    }
    expect(await (await fetchPath('/article/agreement')).text()).toContain('文库协议');
    const { status } = await fetchPath('/sitemap.xml');
    expect(status).toBe(401);
    expect(await (await fetchPath('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n');
    for (const path of ['/favicon.svg', '/static/images/avatar.svg'])
      expect((await fetchPath(path)).status).toBeLessThan(500);
  });

  test.each([
    ['1280 px', desktop],
    ['390 px', phone],
  ])(
    'at %s opens the requested page after the login, admits the user on reload and redirects to the login after the logout',
    async (width, device) => {
      const { username } = await newAccount(site, `login${width.slice(0, 3)}`);
      const form = new FormData();
      const create = { width: 80, height: 60, channels: 3, background: '#23694a' } as const;
      const bytes = new Uint8Array(await sharp({ create }).png().toBuffer());
      form.append('file', new Blob([bytes], { type: 'image/png' }), 'cover.png');
      const url = `${address}/api/v1/upload/banner`;
      const headers = { ...(await site.as.root()) };
      const { data } = await (await fetch(url, { method: 'POST', headers, body: form })).json();
      await requireLogin();

      const page = await visit('/category/1', device);
      expect(page.url()).toBe(`${address}/login?redirect=%2Fcategory%2F1`);
      await waitForHydration(page);
      await page.getByText('登录后才能访问本站').waitFor();
      await submitLoginForm(page, { username, password: TEST_PASSWORD });
      await page.waitForURL(`${address}/category/1`);
      await categoryHeading(page).waitFor();
      // The top bar loads the categories after the login.
      await eventually(async () => (await readStoredState(page, 'douku:category')).list.length).toBeGreaterThan(40);
      const imageWidth = await page.evaluate(async (path) => {
        const image = new Image();
        image.src = path;
        await image.decode();
        return image.naturalWidth;
      }, data.path);
      expect(imageWidth).toBe(80);
      const response = await page.reload();
      expect([response?.status(), page.url()]).toEqual([200, `${address}/category/1`]);
      await categoryHeading(page).waitFor();

      if (device === phone) await page.getByRole('button', { name: '菜单' }).click();
      else await page.getByRole('banner').getByRole('button', { name: username }).click();
      await page.getByText('退出登录').click();
      await page.waitForURL(`${address}/login?redirect=%2Fcategory%2F1`);
      await page.goto('/article');
      await page.waitForURL(`${address}/login?redirect=%2Farticle`);
      expect((await fetch(`${address}${data.path}`)).status).toBe(401);
    },
  );

  test('admits a browser that was logged in before the login became required', async () => {
    const account = await newAccount(site, 'login-before');
    const headers = await account.logIn();
    const page = await visitAs(headers, 'about:blank');
    await requireLogin();
    await page.goto('/category/1');
    await page.waitForURL(`${address}/category/1`);
    await categoryHeading(page).waitFor();
    const response = await page.reload();
    expect([response?.status(), page.url()]).toEqual([200, `${address}/category/1`]);
  });

  test('redirects a browser with an expired session to the login without a redirect loop', async () => {
    const account = await newAccount(site, 'login-ended');
    const page = await visitAs(await account.logIn(), 'about:blank');
    await site.pool.query('delete from sessions where user_id = $1', [account.id]);
    await requireLogin();
    await page.clock.install();
    const counts = countTraffic(page);
    await page.goto('/category/1');
    await eventually(async () => (await readStoredState(page, 'douku:user')).token).toBe('');
    await page.getByLabel('用户名').waitFor();
    await waitForHydration(page);
    await refetchSettings(page);
    const { pages } = counts;
    await refetchSettings(page);
    expect(page.url()).toBe(`${address}/login?redirect=%2Fcategory%2F1`);
    expect(counts.pages).toBe(pages);
    expect(counts.pages).toBeLessThan(8);
    expect((await readStoredState(page, 'douku:user')).token).toBe('');
  });

  test('has an open login page refetch only the settings, once a minute', async () => {
    await requireLogin();
    const page = await visit('about:blank');
    await page.clock.install();
    await page.goto('/login?redirect=%2Fcategory%2F1');
    const counts = countTraffic(page);
    for (let minute = 0; minute < 5; minute += 1) await refetchSettings(page);
    expect([counts.category, counts.pages]).toEqual([0, 0]);
    expect(counts.settings).toBeGreaterThanOrEqual(4);
    expect(counts.all).toBeLessThanOrEqual(8);
  });

  test('redirects an open tab to the login on its next navigation or with the next refresh of the settings', async () => {
    const page = await visit('/article');
    await requireLogin();
    await page.getByRole('main').getByRole('link').first().click();
    await page.waitForURL(/\/login\?redirect=%2Farticle%2F/);

    await adminApi.setSettings({ 'security.login_required': 'false' });
    const idleTab = await visit('about:blank');
    await idleTab.clock.install();
    await idleTab.goto('/category/1');
    await categoryHeading(idleTab).waitFor();
    await requireLogin();
    await idleTab.clock.runFor(61_000);
    await idleTab.waitForURL(`${address}/login?redirect=%2Fcategory%2F1`);
  });
});

describe('a closed site', () => {
  test('answers every page with 503 and the close statement, and keeps the login page open', async () => {
    await closeSite();
    for (const path of [...CLOSED_PAGES, '/article/agreement'])
      for (const method of ['GET', 'HEAD']) {
        const response = await fetchPath(path, method);
        expect([path, response.status]).toEqual([path, 503]);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(response.headers.get('content-security-policy')).toMatch(/script-src/);
        const html = await response.text();
        if (method === 'HEAD') continue;
        expect(html).toContain('站点暂时关闭');
        expect(html).toContain('馆藏整理，周一 再会。');
        expect(html).not.toContain('教育考试');
      }
    for (const path of ['/robots.txt', '/sitemap.xml', '/category/1.data', '/api/docs'])
      expect([path, (await fetchPath(path)).status]).toEqual([path, 503]);
    for (const path of ['/login', '/register', '/findpassword', '/favicon.svg'])
      expect([path, (await fetchPath(path)).status]).toEqual([path, 200]);
  });

  test.each([
    ['1280 px', desktop],
    ['390 px', phone],
  ])('at %s admits the administrator through the login and rejects a member', async (width, device) => {
    const { username } = await newAccount(site, `closed${width.slice(0, 3)}`);
    await closeSite();
    const page = await visit('/category/1', device);
    await page.getByRole('heading', { name: '站点暂时关闭' }).waitFor();
    await page.getByRole('link', { name: '登录' }).click();
    await page.waitForURL(`${address}/login?redirect=%2Fcategory%2F1`);
    await waitForHydration(page);
    await submitLoginForm(page, { username, password: TEST_PASSWORD });
    await page.getByRole('alert').getByText('馆藏整理，周一 再会。').waitFor();
    expect((await readStoredState(page, 'douku:user'))?.token ?? '').toBe('');
    await submitLoginForm(page, administrator);
    await page.waitForURL(`${address}/category/1`);
    await categoryHeading(page).waitFor();
    const response = await page.reload();
    expect([response?.status(), page.url()]).toEqual([200, `${address}/category/1`]);
    await page.goto('/admin/dashboard');
    await page.getByRole('region', { name: '数据统计' }).waitFor();
  });

  test('shows the close statement to a logged-in user and keeps the session until it reopens', async () => {
    const account = await newAccount(site, 'was-reading');
    const page = await visitAs(await account.logIn(), '/article');
    await closeSite();
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByRole('heading', { name: '站点暂时关闭' }).waitFor();
    await page.getByText('馆藏整理，周一 再会。').waitFor();
    expect((await readStoredState(page, 'douku:user')).user.id).toBe(account.id);
    await adminApi.setSettings({ 'security.is_close': 'false' });
    await page.goto('/category/1');
    await categoryHeading(page).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'was-reading' }).waitFor();
  });

  test('reopens from the settings in the back-office', async () => {
    await closeSite();
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
    expect((await fetchPath('/')).status).toBe(200);
  });
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
