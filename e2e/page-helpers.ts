import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { administrator } from './support/site.ts';

/** Waits until React has hydrated the page and handles input. */
export const waitForHydration = (page: Page) => page.waitForSelector('html[data-device]');

/** Waits until no animation or transition with an end is running. */
export const waitForAnimations = (page: Page) =>
  page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => {
      const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      return playState !== 'running' || isEndless;
    }),
  );

export const waitForTwoFrames = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

export const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

export const submitLoginForm = async (page: Page, { username, password } = administrator) => {
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录' }).click();
};

export const readStoredState = (page: Page, key: string) =>
  page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null')?.state, key);

export const eventually = <T>(read: () => T) => expect.poll(read);
