import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, inject } from 'vitest';
import { allowedPages } from '#modules/account/permission-pages.contract.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { projectRoot } from '#platform/server/config.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';
import { recordToasts } from './toasts.ts';

export const desktop = { viewport: { width: 1280, height: 800 } };
export const tablet = { viewport: { width: 820, height: 1100 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Generous, as the timeouts in vitest.config.ts are. */
const LOCATOR_TIMEOUT_MS = 180_000;
export const administrator = { username: 'admin', password: ADMIN_PASSWORD };

/** Serves the built site on a free port with a separate database, and connects a browser. */
export async function startTestSite(env?: NodeJS.ProcessEnv) {
  const server = await testApp({ build: join(projectRoot, 'build'), runJobs: true, env });
  // The browser cannot read a captcha image; the tests of captchas turn the setting on.
  await setSetting(server.ctx, 'security.enable_captcha_login', 'false');
  // The server clock must agree with the clock of the browser.
  server.clock.now = new Date();
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await chromium.connect(inject('browserEndpoint'));
  afterAll(() => browser.close());
  let testContexts: BrowserContext[] = [];
  beforeEach(() => {
    testContexts = [];
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await reportOpenPages(browser);
    // Open pages would keep sending requests during the next tests.
    await Promise.all(testContexts.map((context) => context.close()));
  });

  const errors: string[] = [];
  /** Opens a path in a new context with empty storage; `errors` collects the errors of the page. */
  const visit = async (path: string, options: BrowserContextOptions = desktop): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: address,
      locale: 'zh-CN',
      // Tests do not wait for animations, except the tests of animations.
      reducedMotion: 'reduce',
      ...options,
    });
    testContexts.push(context);
    await context.addInitScript(recordToasts);
    const page = await context.newPage();
    page.setDefaultTimeout(LOCATOR_TIMEOUT_MS);
    page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
    if (options.javaScriptEnabled !== false) waitForHydrationAfterLoads(page);
    await page.goto(path);
    return page;
  };
  /** The storage of a browser after a login. */
  const createStorageState = async (headers: { authorization?: string }) => {
    const fetchJson = async (path: string) => (await fetch(`${address}/api/v1${path}`, { headers })).json();
    const { permission } = await fetchJson('/user/permission');
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    const pages = allowedPages(permission);
    const state = { user: await fetchJson('/user'), token, permissions: permission, pages };
    const value = JSON.stringify({ state, version: 0 });
    return {
      cookies: [],
      origins: [{ origin: address, localStorage: [{ name: 'douku:user', value }] }],
    };
  };
  const visitAs = async (headers: { authorization?: string }, path: string, options: BrowserContextOptions = desktop) =>
    visit(path, { ...options, storageState: await createStorageState(headers) });
  const visitAsAdministrator = async (path: string, options?: BrowserContextOptions) =>
    visitAs(await server.as.root(), path, options);
  return { ...server, address, visit, visitAs, visitAsAdministrator, errors };
}

/** Users rarely click before React has hydrated the page; tests would, so each load waits for hydration. */
function waitForHydrationAfterLoads(page: Page) {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const waitForHydration = () =>
    page.waitForFunction(
      () =>
        document.querySelector('script[type="text/later"]') === null ||
        document.documentElement.dataset.device !== undefined,
    );
  page.goto = async (...args) => {
    const response = await goto(...args);
    await waitForHydration();
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload(...args);
    await waitForHydration();
    return response;
  };
}

/** Logs the content of the open pages after a failed test. */
async function reportOpenPages(browser: Browser) {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const snapshot = await page.locator('body').ariaSnapshot({ timeout: 2_000 }).catch(String);
    console.error(`${page.url()}\n${snapshot.slice(0, 1500)}\n`);
  }
}
