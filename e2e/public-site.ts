import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { startSite } from './support/site.ts';
import { administrator } from './support/site.ts';

type Site = Awaited<ReturnType<typeof startSite>>;

/** Calls the API as the administrator. */
export function createAdminApi({ address, as }: Pick<Site, 'address' | 'as'>) {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { ...(await as.root()), 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const result = await response.json();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(result)}`);
    return result;
  };
  return {
    send,
    /** Keys are `category.name`, for example `system.icp`. */
    set: (values: Record<string, string>) =>
      send('PUT', '/config', {
        config: Object.entries(values).map(([key, value]) => {
          const [category, name] = key.split('.');
          return { category, name, value };
        }),
        password: administrator.password,
      }),
  };
}

/** Waits until React has hydrated the page and handles input. */
export const waitForHydration = (page: Page) => page.waitForSelector('html[data-device]');

export const login = async (page: Page, { username, password } = administrator) => {
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录' }).click();
};

export const readStoredState = (page: Page, key: string) =>
  page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null')?.state, key);

export const eventually = <T>(read: () => T) => expect.poll(read);
