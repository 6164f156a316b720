/**
 * `npm run screenshots -- --origin <address> --admin <password> --reader <password>`: the pictures of the
 * README, taken of a running site that `npm run demo` filled.
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
const WIDTH = { desk: 1280, phone: 390 };

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(`${origin}/api/v1${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json() as Promise<T>;
}

/** What the browser of somebody logged in remembers. */
async function enter(username: string, password: string) {
  const { user, token } = await ask<{ user: object; token: string }>('/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const headers = { authorization: `Bearer ${token}` };
  const { permission: permissions } = await ask<{ permission: Permission[] }>('/user/permission', {
    headers,
  });
  const state = { user, token, permissions, pages: allowedPages(permissions) };
  const value = JSON.stringify({ state, version: 0 });
  return { cookies: [], origins: [{ origin, localStorage: [{ name: 'douku:user', value }] }] };
}

async function idOf(wd: string): Promise<number> {
  const { document } = await ask<{ document: { id: number }[] }>(
    `/document/search?wd=${encodeURIComponent(wd)}&page=1&size=1`,
  );
  return document[0]?.id ?? 0;
}

const type = async (page: Page, text: string) => {
  await page.getByRole('combobox').first().click();
  await page.keyboard.type(text, { delay: 40 });
  await page.getByRole('option').first().waitFor();
};

const admin = await enter('admin', values.admin);
const reader = await enter('苏晚晴', values.reader);
const [painting, manual, poems] = [
  await idOf('宋画里的留白'),
  await idOf('PostgreSQL 慢查询排查手册'),
  await idOf('唐人绝句六十首'),
];
const searched = `/search?wd=${encodeURIComponent('现金')}`;
type Shot = {
  path: string;
  as?: Awaited<ReturnType<typeof enter>>;
  device?: keyof typeof WIDTH;
  theme?: 'dark';
  act?: (page: Page) => Promise<unknown>;
};
const shots: Record<string, Shot> = {
  home: { path: '/' },
  'home-phone': { path: '/', device: 'phone' },
  suggestions: { path: '/', act: (page) => type(page, 'shuju') },
  search: { path: searched },
  'search-dark': { path: searched, theme: 'dark' },
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
for (const [name, { path: where, as, device = 'desk', theme, act }] of Object.entries(shots)) {
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
  await page.goto(`${origin}${where}`, { waitUntil: 'networkidle' });
  await act?.(page);
  await page.waitForTimeout(800);
  const picture = sharp(await page.screenshot());
  const { size } = await picture.webp({ quality: 78 }).toFile(path.join(folder, `${name}.webp`));
  console.log(`${name}.webp ${Math.round(size / 1024)} KB`);
  await context.close();
}
await browser.close();
