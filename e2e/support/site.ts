import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, inject } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { projectRoot } from '#platform/server/config.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';

export const desk = { viewport: { width: 1280, height: 800 } };
export const tablet = { viewport: { width: 820, height: 1100 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const administrator = { username: 'admin', password: ADMIN_PASSWORD };

/** The built site on a free port with a database of its own, and a browser to visit it. */
export async function startSite() {
  const server = await testApp({ build: join(projectRoot, 'build'), work: true });
  // A picture cannot be read here; the journeys of captchas turn theirs on.
  await setSetting(server.ctx, 'security.enable_captcha_login', 'false');
  // Journeys live in the real time of the browser.
  server.clock.now = new Date();
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await chromium.connect(inject('browserEndpoint'));
  afterAll(() => browser.close());

  const errors: string[] = [];
  /** A new visitor: empty storage, errors of the page collected in `errors`. */
  const visit = async (path: string, options: BrowserContextOptions = desk): Promise<Page> => {
    const context = await browser.newContext({ baseURL: address, locale: 'zh-CN', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
    await page.goto(path);
    return page;
  };
  /** A page of somebody already logged in as the administrator. */
  const visitAsAdministrator = async (path: string, options?: BrowserContextOptions) => {
    const page = await visit('/login', options);
    await page.getByLabel('用户名').fill(administrator.username);
    await page.getByLabel('密码', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: '登录' }).click();
    await page.waitForURL((url) => url.pathname !== '/login');
    await page.goto(path);
    return page;
  };
  return { ...server, address, visit, visitAsAdministrator, errors };
}
