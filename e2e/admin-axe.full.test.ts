import { expect, test } from 'vitest';
import { waitForAnimations } from './page-helpers.ts';
import { findAxeProblemsOnDesktopAndPhone } from './support/axe.ts';
import { startTestSite } from './support/site.ts';

const { visitAsAdministrator } = await startTestSite();

/** Paths, some with the button that opens a form. */
const screens: [path: string, formButton?: string][] = [
  ['/admin/dashboard'],
  ['/admin/document/category', '新增分类'],
  ['/admin/banner', '新增横幅'],
  ['/admin/article'],
  ['/admin/article', '新增单页'],
  ['/admin/friendlink', '新增友链'],
  ['/admin/config'],
  ['/admin/comment'],
  ['/admin/document/searchrecord'],
  ['/admin/document/searchrecord?tab=synonym', '新增同义词'],
];

test('the back-office has no serious accessibility problem on desktop or phone, in the light or dark theme', async () => {
  const problemsByScreen: Record<string, string[]> = {};
  const page = await visitAsAdministrator('/admin/dashboard');
  for (const [path, formButton] of screens) {
    await page.goto(path);
    await page.locator('.admin-content > *').first().waitFor();
    await page.locator('.ant-spin-spinning').waitFor({ state: 'detached' });
    if (formButton) {
      await page.getByRole('button', { name: formButton }).click();
      await page.getByRole('dialog').waitFor();
      // axe measures contrast correctly only after the drawer has stopped sliding.
      await waitForAnimations(page);
    }
    const problems = await findAxeProblemsOnDesktopAndPhone(page);
    if (problems.length > 0) problemsByScreen[`${path} ${formButton ?? ''}`] = [...new Set(problems)];
  }
  expect(problemsByScreen).toEqual({});
});
