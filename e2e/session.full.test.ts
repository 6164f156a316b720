import { expect, test } from 'vitest';
import { eventually, readStoredState, submitLoginForm } from './page-helpers.ts';
import { desktop, startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, visitAsAdministrator, address, errors, pool } = site;

test('/user without an id redirects a visitor to the login and a logged-in user to /user/{id}', async () => {
  const visitor = await visit('/user');
  await visitor.waitForURL(`${address}/login?redirect=%2Fuser`);
  await submitLoginForm(visitor);
  await visitor.waitForURL(`${address}/user/1`);
  await visitor.getByRole('heading', { name: 'admin', level: 1 }).waitFor();
});

test('the login ignores a redirect to another site', async () => {
  const visitor = await visit('/login?redirect=%2F%2Fevil.example%2F');
  await submitLoginForm(visitor);
  await visitor.waitForURL(`${address}/`);
});

test.each(['/login', '/register', '/findpassword', '/login?redirect=%2Farticle'])(
  '%s redirects a logged-in user to /user/{id}',
  async (path) => {
    const visitor = await visitAsAdministrator(path);
    await visitor.waitForURL(`${address}/user/1`);
  },
);

test('user, categories, settings and device are stored in localStorage under the prefix douku', async () => {
  const visitor = await visitAsAdministrator('/', desktop);
  await eventually(() => visitor.evaluate(() => Object.keys(localStorage).sort())).toEqual([
    'douku:category',
    'douku:device',
    'douku:setting',
    'douku:user',
  ]);
  expect(await readStoredState(visitor, 'douku:device')).toMatchObject({ isPC: true, width: 1280 });
  expect(await readStoredState(visitor, 'douku:setting')).toMatchObject({
    settings: { system: { sitename: '豆库' } },
  });
  expect((await readStoredState(visitor, 'douku:category')).list.length).toBeGreaterThan(40);
  await visitor.reload();
  await visitor.getByRole('banner').getByRole('button', { name: 'admin' }).waitFor();
});

test('logging out ends the session on the server and clears the whole localStorage', async () => {
  const visitor = await visitAsAdministrator('/article');
  await visitor.evaluate(() => localStorage.setItem('other-key', '1'));
  const { token } = await readStoredState(visitor, 'douku:user');
  await visitor.getByRole('banner').getByRole('button', { name: 'admin' }).click();
  await visitor.getByRole('menuitem', { name: '退出登录' }).click();
  await visitor.getByRole('banner').getByRole('link', { name: '登录' }).waitFor();
  expect(await visitor.evaluate(() => Object.keys(localStorage))).toEqual([]);
  const response = await fetch(`${address}/api/v1/user`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(401);
});

test('the browser ends a session that the server has deleted on the first 401', async () => {
  const visitor = await visitAsAdministrator('/article');
  await pool.query('delete from sessions');
  // After the reload the bell requests the unread count, which answers 401.
  await visitor.reload();
  await visitor.getByRole('banner').getByRole('link', { name: '登录' }).waitFor();
  expect(await readStoredState(visitor, 'douku:user')).toMatchObject({ user: null, token: '', pages: [] });
});

test('a login in one tab appears in another open tab', async () => {
  const firstTab = await visit('/login');
  const secondTab = await firstTab.context().newPage();
  await secondTab.goto('/article');
  await submitLoginForm(firstTab);
  await secondTab.getByRole('banner').getByRole('button', { name: 'admin' }).waitFor();
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
