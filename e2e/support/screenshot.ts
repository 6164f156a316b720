import type { Page } from 'playwright-core';

/** Pictures for people to look at, where somebody asks for them. */
const shots = process.env.DOUKU_SHOTS;
export const saveScreenshot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};
