import { expect, test } from 'vitest';
import { changeDocument } from '#modules/document/document.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { submitLoginForm } from './page-helpers.ts';
import { startTestSite } from './support/site.ts';
import { newAccount, TEST_PASSWORD } from './test-accounts.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, errors, address } = site;

test('a visitor sees only the public documents of an author, as rows, also without scripts', async () => {
  const author = await newAuthor(site);
  const publicId = await author.addDocument('公开的文档', { price: 3 });
  const privateId = await author.addDocument('私人的文档');
  for (const id of [publicId, privateId]) await waitForStatus(site, id, 2);
  await changeDocument(ctx, privateId, { visibility: 2 });
  const html = await (await fetch(`${address}/user/${author.id}/document`)).text();
  expect(html).toContain('公开的文档');
  expect(html).not.toContain('私人的文档');
  const page = await visit(`/user/${author.id}/document`);
  const row = page.getByRole('listitem').filter({ hasText: '公开的文档' });
  await row.getByText('3 豆').waitFor();
  expect(await row.getByRole('link').getAttribute('href')).toBe(`/document/${publicId}`);
  expect(await page.getByRole('button', { name: /编辑|删除/ }).count()).toBe(0);
  expect(await page.getByText('私人的文档').count()).toBe(0);
});

test('a members-only document asks visitors to log in, reveals nothing of its content and opens after the login', async () => {
  const author = await newAuthor(site);
  const id = await author.addDocument('会员专享的年度报告');
  await waitForStatus(site, id, 2);
  await changeDocument(ctx, id, { visibility: 1 });
  for (const path of [`/document/${id}`, `/document/${id}/text`]) {
    const response = await fetch(`${address}${path}`);
    const html = await response.text();
    expect([path, response.status]).toEqual([path, 401]);
    expect(html).toContain('登录后可见');
    expect(html).toContain('<meta name="robots" content="noindex');
    expect(html).not.toContain('年度报告');
  }
  const { username } = await newAccount(site, 'reads-for-members');
  const page = await visit(`/document/${id}`);
  await page.getByRole('heading', { name: '登录后可见' }).waitFor();
  await page.locator('main').getByRole('link', { name: '登录' }).click();
  await submitLoginForm(page, { username, password: TEST_PASSWORD });
  await page.getByRole('heading', { name: '会员专享的年度报告', level: 1 }).waitFor();
});

test.each([
  ['a member who opens a members-only document', 1, 2, 'member'],
  ['an owner who opens a private document', 2, 2, 'owner'],
  ['an owner who opens a document under review', 0, 6, 'owner'],
] as const)(
  '%s sees a skeleton until the document has loaded, and never an error page',
  async (_, visibility, status, viewer) => {
    const author = await newAuthor(site);
    const id = await author.addDocument('只给一些人看的文档');
    await waitForStatus(site, id, 2);
    await changeDocument(ctx, id, { visibility, status });
    const member = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
    const page = await visitAs(viewer === 'owner' ? author.headers : member.headers, '/article');
    let release = () => {};
    const releasePromise = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/v1\/document\?/, async (route) => {
      await releasePromise;
      await route.continue();
    });
    await page.goto(`/document/${id}`);
    await page.getByRole('status', { name: '正在加载' }).waitFor();
    expect(
      await page
        .getByText(/could not be found|登录后可见/)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    release();
    await page.getByRole('heading', { name: '只给一些人看的文档', level: 1 }).waitFor();
  },
);

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
