import { expect, test } from 'vitest';
import { findAxeProblemsOnDesktopAndPhone } from './support/axe.ts';
import { startSite } from './support/site.ts';

const { visitAsAdministrator } = await startSite();

/** A screen, and the button that opens its form. */
const screens: [path: string, open?: string][] = [
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

test('the back-office has no serious accessibility problem at a desk or on a phone, in light or dark', async () => {
  const found: Record<string, string[]> = {};
  const page = await visitAsAdministrator('/admin/dashboard');
  for (const [path, open] of screens) {
    await page.goto(path);
    await page.locator('.admin-content > *').first().waitFor();
    await page.locator('.ant-spin-spinning').waitFor({ state: 'detached' });
    if (open) {
      await page.getByRole('button', { name: open }).click();
      await page.getByRole('dialog').waitFor();
      // The drawer slides; contrast can only be judged once it stands.
      await page.waitForTimeout(400);
    }
    const here = await findAxeProblemsOnDesktopAndPhone(page);
    if (here.length > 0) found[`${path} ${open ?? ''}`] = [...new Set(here)];
  }
  expect(found).toEqual({});
});
