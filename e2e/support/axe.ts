import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { desk, phone } from './site.ts';

const source = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * What axe calls serious or critical, as `rule: element`, in light and in dark. Between the two only
 * colours differ, so in dark only they are judged.
 */
export async function problems(page: Page): Promise<string[]> {
  await paint(page, 'light');
  // Through the debugger, which the content security policy does not bind.
  await page.evaluate(source);
  const inLight = await judge(page);
  await paint(page, 'dark');
  const inDark = await judge(page, ['color-contrast']);
  await paint(page, 'light');
  return [...inLight, ...inDark.map((problem) => `dark ${problem}`)];
}

/** The same at both widths, from one load. */
export async function problemsOnDeskAndPhone(page: Page): Promise<string[]> {
  await page.setViewportSize(phone.viewport);
  const onPhone = await problems(page);
  await page.setViewportSize(desk.viewport);
  return [...onPhone.map((problem) => `phone ${problem}`), ...(await problems(page))];
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
