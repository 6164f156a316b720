import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { keeperOf } from './public-site.ts';
import { startSite } from './support/site.ts';

const site = await startSite();
const { address, as, visit, visitAsAdministrator } = site;
const keeper = keeperOf(site);
afterAll(() => keeper.set({ 'system.logo': '', 'security.is_close': 'false' }));

async function uploadLogo(): Promise<string> {
  const create = { width: 240, height: 60, channels: 3, background: '#7a3' } as const;
  const body = new FormData();
  const bytes = await sharp({ create }).png().toBuffer();
  body.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png');
  const headers = await as.root();
  const answer = await fetch(`${address}/api/v1/upload/config`, { method: 'POST', headers, body });
  return (await answer.json()).data.path;
}

test('an uploaded logo is shown on the login page, in the back-office and on the closed page', async () => {
  const logo = await uploadLogo();
  await keeper.set({ 'system.logo': logo });
  const login = await visit('/login');
  await login.getByRole('main').locator(`img[src="${logo}"]`).waitFor();
  const admin = await visitAsAdministrator('/admin/dashboard');
  await admin.locator(`.admin-brand img[src="${logo}"]`).waitFor();
  await keeper.set({ 'security.is_close': 'true' });
  const closed = await visit('/');
  const image = closed.getByRole('main').locator(`img[src="${logo}"]`);
  await image.waitFor();
  // Closed pages still serve the picture itself.
  expect(await image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0);
});
