import type { Page } from 'playwright-core';

/** Developers set it to look at the pages; unset, no screenshot is written. */
const screenshotFolder = process.env.DOUKU_SCREENSHOT_FOLDER;
export const saveScreenshot = async (page: Page, name: string) => {
  if (screenshotFolder) await page.screenshot({ path: `${screenshotFolder}/${name}.png` });
};
