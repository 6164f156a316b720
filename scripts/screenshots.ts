/**
 * `npm run screenshots -- --origin <address> --admin <password> --reader <password>`: takes the screenshots of the README
 * on a running site with the content of `npm run demo`.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import type { Permission } from '#modules/account/permission.contract.ts';
import { allowedPages } from '#modules/account/permission-pages.contract.ts';
import { projectRoot } from '#platform/server/config.ts';
import { chromiumPath } from '../e2e/support/browser.ts';

const { values } = parseArgs({
  options: {
    origin: { type: 'string', default: 'http://localhost:3000' },
    admin: { type: 'string', default: '' },
    reader: { type: 'string', default: '' },
  },
});
const { origin } = values;
const folder = path.join(projectRoot, 'docs/screenshots');
const WIDTH = { desktop: 1280, phone: 390 };

async function requestApi<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`${origin}/api/v1${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<T>;
}

/** Browser storage of a logged-in user. */
async function loginState(username: string, password: string) {
  const { user, token } = await requestApi<{ user: object; token: string }>('/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const headers = { authorization: `Bearer ${token}` };
  const { permission: permissions } = await requestApi<{ permission: Permission[] }>('/user/permission', {
    headers,
  });
  const state = { user, token, permissions, pages: allowedPages(permissions) };
  const value = JSON.stringify({ state, version: 0 });
  return { cookies: [], origins: [{ origin, localStorage: [{ name: 'douku:user', value }] }] };
}

async function findDocumentId(wd: string): Promise<number> {
  const { document } = await requestApi<{ document: { id: number }[] }>(
    `/document/search?wd=${encodeURIComponent(wd)}&page=1&size=1`,
  );
  return document[0]?.id ?? 0;
}

const typeSearch = async (page: Page, text: string) => {
  await page.getByRole('combobox').first().click();
  await page.keyboard.type(text, { delay: 40 });
  await page.getByRole('option').first().waitFor();
};

const admin = await loginState('admin', values.admin);
const reader = await loginState('苏晚晴', values.reader);
const [painting, manual, poems] = [
  await findDocumentId('宋画里的留白'),
  await findDocumentId('PostgreSQL 慢查询排查手册'),
  await findDocumentId('唐人绝句六十首'),
];
const searchPath = `/search?wd=${encodeURIComponent('现金')}`;
type Screenshot = {
  path: string;
  as?: Awaited<ReturnType<typeof loginState>>;
  device?: keyof typeof WIDTH;
  theme?: 'dark';
  act?: (page: Page) => Promise<unknown>;
};
const screenshots: Record<string, Screenshot> = {
  home: { path: '/' },
  'home-phone': { path: '/', device: 'phone' },
  suggestions: { path: '/', act: (page) => typeSearch(page, 'shuju') },
  search: { path: searchPath },
  'search-dark': { path: searchPath, theme: 'dark' },
  reader: {
    path: `/document/${poems}#p=12`,
    as: reader,
    act: (page) => page.getByRole('button', { name: '目录' }).first().click(),
  },
  'reader-phone': { path: `/document/${painting}`, device: 'phone' },
  'reader-dark': { path: `/document/${manual}`, theme: 'dark' },
  community: {
    path: `/document/${manual}`,
    as: reader,
    act: (page) => page.locator('#comments').scrollIntoViewIfNeeded(),
  },
  upload: { path: '/upload', as: reader },
  dashboard: { path: '/admin/dashboard', as: admin },
  documents: {
    path: '/admin/document/list',
    as: admin,
    act: (page) => page.getByRole('link', { name: '宋画里的留白' }).waitFor(),
  },
};

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
for (const [name, { path: pagePath, as, device = 'desktop', theme, act }] of Object.entries(screenshots)) {
  const isPhone = device === 'phone';
  const context = await browser.newContext({
    viewport: { width: WIDTH[device], height: isPhone ? 844 : 800 },
    locale: 'zh-CN',
    colorScheme: theme ?? 'light',
    reducedMotion: 'reduce',
    ...(isPhone && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
    ...(as && { storageState: as }),
  });
  const page = await context.newPage();
  await page.goto(`${origin}${pagePath}`, { waitUntil: 'networkidle' });
  await act?.(page);
  await page.waitForTimeout(800);
  const picture = sharp(await page.screenshot());
  const { size } = await picture.webp({ quality: 78 }).toFile(path.join(folder, `${name}.webp`));
  console.log(`${name}.webp ${Math.round(size / 1024)} KB`);
  await context.close();
}
await browser.close();
