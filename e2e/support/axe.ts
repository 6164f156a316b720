import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { desktop, phone } from './site.ts';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe calls serious or critical, as `rule: element`, in light and in dark. Between the two only
 * colours differ, so in dark only they are judged.
 */
export async function findAxeProblems(page: Page): Promise<string[]> {
  await load(page);
  const inLight = await judge(page);
  const inDark = await dark(page, () => judge(page, ['color-contrast']));
  return [...inLight, ...inDark.map((problem) => `dark ${problem}`)];
}

/** The same at both widths, from one load, with as few changes of the page as can be. */
export async function findAxeProblemsOnDesktopAndPhone(page: Page): Promise<string[]> {
  await load(page);
  const on = (device: string, found: string[]) => found.map((problem) => `${device} ${problem}`);
  await page.setViewportSize(phone.viewport);
  const onPhone = on('phone', await judge(page));
  const inDark = await dark(page, async () => {
    const phoneInDark = on('dark phone', await judge(page, ['color-contrast']));
    await page.setViewportSize(desktop.viewport);
    return [...phoneInDark, ...on('dark', await judge(page, ['color-contrast']))];
  });
  return [...onPhone, ...inDark, ...(await judge(page))];
}

async function load(page: Page) {
  const { isThere, isDark } = await page.evaluate(() => ({
    isThere: 'axe' in window,
    isDark: document.documentElement.dataset.theme === 'dark',
  }));
  if (isDark) await paint(page, 'light');
  // Through the debugger, which the content security policy does not bind.
  if (!isThere) await page.evaluate(source);
}

async function dark<T>(page: Page, work: () => Promise<T>): Promise<T> {
  await paint(page, 'dark');
  const result = await work();
  await paint(page, 'light');
  return result;
}

async function paint(page: Page, theme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(async (theme) => {
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important }');
    document.adoptedStyleSheets = [still];
    // A page without scripts takes its theme only when it is loaded.
    document.documentElement.dataset.theme = theme;
    // The back-office draws its colours anew.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)));
  }, theme);
}

async function judge(page: Page, rules?: string[]): Promise<string[]> {
  const { violations } = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: typeof axe }).axe.run(
        {
          include: document,
          // They pass the focus on at once; nobody ever rests on one.
          exclude: '[data-base-ui-focus-guard]',
        },
        { resultTypes: ['violations'], ...(rules && { runOnly: rules }) },
      ),
    rules,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
