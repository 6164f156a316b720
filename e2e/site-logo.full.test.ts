import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { startTestSite } from './support/site.ts';

const site = await startTestSite();
const { address, as, visit, visitAsAdministrator } = site;
const adminApi = createAdminApi(site);
afterAll(() => adminApi.setSettings({ 'system.logo': '', 'security.is_close': 'false' }));

async function uploadLogo(): Promise<string> {
  const create = { width: 240, height: 60, channels: 3, background: '#7a3' } as const;
  const body = new FormData();
  const bytes = await sharp({ create }).png().toBuffer();
  body.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png');
  const headers = await as.root();
  const response = await fetch(`${address}/api/v1/upload/config`, { method: 'POST', headers, body });
  return (await response.json()).data.path;
}

test('an uploaded logo is shown on the login page, in the back-office and on the closed page', async () => {
  const logo = await uploadLogo();
  await adminApi.setSettings({ 'system.logo': logo });
  const loginPage = await visit('/login');
  await loginPage.getByRole('main').locator(`img[src="${logo}"]`).waitFor();
  const adminPage = await visitAsAdministrator('/admin/dashboard');
  await adminPage.locator(`.admin-brand img[src="${logo}"]`).waitFor();
  await adminApi.setSettings({ 'security.is_close': 'true' });
  const closedPage = await visit('/');
  const image = closedPage.getByRole('main').locator(`img[src="${logo}"]`);
  await image.waitFor();
  // A closed site still serves the logo file.
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
});
