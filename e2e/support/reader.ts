import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const findPageNumberInput = (page: Page) => page.getByLabel(/^页码/);
export const expectPageNumber = (page: Page, number: number) =>
  expect.poll(() => findPageNumberInput(page).inputValue()).toBe(String(number));
export const pressKeys = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Measures the text `Page n of the book` in the viewport. */
export const measurePageHeading = async (page: Page, number: number) => {
  const heading = page.locator(`[data-page="${number}"] [data-words] span`).first();
  await heading.waitFor({ state: 'attached' });
  const box = await heading.boundingBox();
  return { x: box?.x ?? 0, y: box?.y ?? 0, width: box?.width ?? 0 };
};
