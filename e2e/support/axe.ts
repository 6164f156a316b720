import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** What axe calls serious or critical, as `rule: element`. */
export async function problems(page: Page): Promise<string[]> {
  // Through the debugger, which the content security policy does not bind.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({
      include: document,
      // They pass the focus on at once; nobody ever rests on one.
      exclude: '[data-base-ui-focus-guard]',
    }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
