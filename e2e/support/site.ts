import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, inject } from 'vitest';
import { allowedPages } from '#modules/account/permission-pages.contract.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { projectRoot } from '#platform/server/config.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';

export const desktop = { viewport: { width: 1280, height: 800 } };
export const tablet = { viewport: { width: 820, height: 1100 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Generous, as limits of vitest.config.ts are. */
const LOCATOR_LIMIT_MS = 180_000;
export const administrator = { username: 'admin', password: ADMIN_PASSWORD };

/** The built site on a free port with a database of its own, and a browser to visit it. */
export async function startSite(env?: NodeJS.ProcessEnv) {
  const server = await testApp({ build: join(projectRoot, 'build'), runJobs: true, env });
  // A picture cannot be read here; the journeys of captchas turn theirs on.
  await setSetting(server.ctx, 'security.enable_captcha_login', 'false');
  // Journeys live in the real time of the browser.
  server.clock.now = new Date();
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await chromium.connect(inject('browserEndpoint'));
  afterAll(() => browser.close());
  let ofThisTest: BrowserContext[] = [];
  beforeEach(() => {
    ofThisTest = [];
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await tellOf(browser);
    // Pages left open would go on asking and moving beside the tests that follow.
    await Promise.all(ofThisTest.map((context) => context.close()));
  });

  const errors: string[] = [];
  /** A new visitor: empty storage, errors of the page collected in `errors`. */
  const visit = async (path: string, options: BrowserContextOptions = desktop): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: address,
      locale: 'zh-CN',
      // Journeys do not wait for things to slide; those about motion ask for it.
      reducedMotion: 'reduce',
      ...options,
    });
    ofThisTest.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(LOCATOR_LIMIT_MS);
    page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
    if (options.javaScriptEnabled !== false) hearFirst(page);
    await page.goto(path);
    return page;
  };
  /** What the browser of somebody logged in remembers. */
  const remembered = async (headers: { authorization?: string }) => {
    const ask = async (path: string) => (await fetch(`${address}/api/v1${path}`, { headers })).json();
    const { permission } = await ask('/user/permission');
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    const pages = allowedPages(permission);
    const state = { user: await ask('/user'), token, permissions: permission, pages };
    const value = JSON.stringify({ state, version: 0 });
    return {
      cookies: [],
      origins: [{ origin: address, localStorage: [{ name: 'douku:user', value }] }],
    };
  };
  /** A page of somebody already logged in, the administrator if nobody is named. */
  const visitAs = async (headers: { authorization?: string }, path: string, options: BrowserContextOptions = desktop) =>
    visit(path, { ...options, storageState: await remembered(headers) });
  const visitAsAdministrator = async (path: string, options?: BrowserContextOptions) =>
    visitAs(await server.as.root(), path, options);
  return { ...server, address, visit, visitAs, visitAsAdministrator, errors };
}

/** Nobody clicks within the moment between seeing a page and React taking it over; journeys must not. */
function hearFirst(page: Page) {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const heard = () =>
    page.waitForFunction(
      () =>
        document.querySelector('script[type="text/later"]') === null ||
        document.documentElement.dataset.device !== undefined,
    );
  page.goto = async (...args) => {
    const answer = await goto(...args);
    await heard();
    return answer;
  };
  page.reload = async (...args) => {
    const answer = await reload(...args);
    await heard();
    return answer;
  };
}

/** What stood on the pages when a journey failed. */
async function tellOf(browser: Browser) {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 2_000 }).catch(String);
    console.error(`${page.url()}\n${shown.slice(0, 1500)}\n`);
  }
}
