import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const pageNumberInput = (page: Page) => page.getByLabel(/^页码/);
export const expectPageNumber = (page: Page, number: number) =>
  expect.poll(() => pageNumberInput(page).inputValue()).toBe(String(number));
export const pressKeys = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Where the words `Page n of the book` stand in the window. */
export const measurePageHeading = async (page: Page, number: number) => {
  const words = page.locator(`[data-page="${number}"] [data-words] span`).first();
  await words.waitFor({ state: 'attached' });
  const box = await words.boundingBox();
  return { x: box?.x ?? 0, y: box?.y ?? 0, width: box?.width ?? 0 };
};
