import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { desktop, phone } from './site.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The dark theme changes only colours, so axe checks only their contrast there. */
const DARK_THEME_RULES = ['color-contrast'];

/** Returns the serious and critical problems as `rule: element`, in the full tier those of the dark theme, too. */
export async function findAxeProblems(page: Page): Promise<string[]> {
  await injectAxe(page);
  const lightProblems = await runAxe(page);
  if (inject('tier') === 'quick') return lightProblems;
  const darkProblems = await runInDarkTheme(page, () => runAxe(page, DARK_THEME_RULES));
  return [...lightProblems, ...addPrefix('dark', darkProblems)];
}

/** Loads axe once and changes theme and viewport as rarely as possible. */
export async function findAxeProblemsOnDesktopAndPhone(page: Page): Promise<string[]> {
  await injectAxe(page);
  await page.setViewportSize(phone.viewport);
  const phoneProblems = addPrefix('phone', await runAxe(page));
  const darkProblems = await runInDarkTheme(page, async () => {
    const darkPhoneProblems = addPrefix('dark phone', await runAxe(page, DARK_THEME_RULES));
    await page.setViewportSize(desktop.viewport);
    return [...darkPhoneProblems, ...addPrefix('dark', await runAxe(page, DARK_THEME_RULES))];
  });
  return [...phoneProblems, ...darkProblems, ...(await runAxe(page))];
}

const addPrefix = (prefix: string, problems: string[]) => problems.map((problem) => `${prefix} ${problem}`);

async function injectAxe(page: Page) {
  const { hasAxe, isDark } = await page.evaluate(() => ({
    hasAxe: 'axe' in window,
    isDark: document.documentElement.dataset.theme === 'dark',
  }));
  if (isDark) await setTheme(page, 'light');
  // The debugger runs this script, so the content security policy does not block it.
  if (!hasAxe) await page.evaluate(axeSource);
}

async function runInDarkTheme<T>(page: Page, run: () => Promise<T>): Promise<T> {
  await setTheme(page, 'dark');
  const result = await run();
  await setTheme(page, 'light');
  return result;
}

async function setTheme(page: Page, theme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(async (theme) => {
    const noTransitions = new CSSStyleSheet();
    noTransitions.replaceSync('* { transition: none !important }');
    document.adoptedStyleSheets = [noTransitions];
    // A page without scripts sets its theme only while it loads.
    document.documentElement.dataset.theme = theme;
    // The back-office recomputes its colours after the theme changes.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)));
  }, theme);
}

async function runAxe(page: Page, rules?: string[]): Promise<string[]> {
  const { violations } = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: typeof axe }).axe.run(
        {
          include: document,
          // Focus guards pass the focus on immediately, so users never stay on them.
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
