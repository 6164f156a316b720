import { expect, test } from 'vitest';
import { changeDocument, payAwards } from '#modules/document/document.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { rowsForTier } from '#testing/test-tier.ts';
import { submitLoginForm } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAccount, TEST_PASSWORD } from './test-accounts.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, pool, errors, address } = site;

test.each(
  rowsForTier([
    ['1280 px', desktop],
    ['390 px', phone],
  ]),
)('at %s an author changes a document, deletes it and restores it from the recycle bin', async (_, device) => {
  const author = await newAuthor(site);
  await author.addDocument('我的第一篇文档');
  const creditOfAuthor = async () =>
    (await pool.query('select credit_count::int from users where id = $1', [author.id])).rows[0].credit_count;
  await expect
    .poll(async () => {
      await payAwards(ctx);
      return creditOfAuthor();
    })
    .toBe(5);
  const page = await visitAs(author.headers, `/user/${author.id}/document`, device);
  await page.getByRole('button', { name: '编辑《我的第一篇文档》' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('名称').fill(' ');
  await form.getByLabel('价格').fill('1.5');
  await form.getByRole('button', { name: '保存' }).click();
  await form.getByText('请输入文档名称').waitFor();
  await form.getByText('请输入 0 到 1000000 之间的整数').waitFor();
  await form.getByLabel('名称').fill('改过名的文档');
  await form.getByLabel('价格').fill('6');
  await form.getByLabel('文档分类').selectOption({ label: '教育考试' });
  await form.getByLabel('可见范围').selectOption({ label: '仅自己可见' });
  await form.getByLabel('摘要').fill('关于它的几句话');
  await form.getByRole('button', { name: '保存' }).click();
  await waitForText(page, '更新成功');
  await page.getByText('教育考试 · 仅自己可见').waitFor();
  await page.getByText('6 豆', { exact: true }).waitFor();

  await page.getByRole('button', { name: '删除《改过名的文档》' }).click();
  await page.getByText('您确定要删除文档《改过名的文档》吗？').waitFor();
  await page.getByRole('button', { name: '确定删除' }).click();
  await waitForText(page, '删除成功');
  await page.getByText('还没有文档').waitFor();
  await page.getByRole('link', { name: '回收站' }).click();
  await page.getByText(/^删除于/).waitFor();
  await page.getByRole('button', { name: '恢复《改过名的文档》' }).click();
  await waitForText(page, '恢复成功');
  await page.getByText('回收站是空的').waitFor();
  await page.getByRole('link', { name: '我的文档', exact: true }).click();
  await page.getByRole('link', { name: '改过名的文档' }).waitFor();
  expect(await creditOfAuthor()).toBe(5);

  await page.getByRole('link', { name: '改过名的文档' }).click();
  await page.getByRole('heading', { name: '改过名的文档', level: 1 }).waitFor();
  await page.getByRole('button', { name: '删除', exact: true }).click();
  await page.getByText('您确定要删除文档《改过名的文档》吗？').waitFor();
  await page.getByRole('button', { name: '确定删除' }).click();
  await waitForText(page, '删除成功');
  await page.waitForURL(`**/user/${author.id}/document`);
  await page.getByText('还没有文档').waitFor();
});

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

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
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

test.each(
  rowsForTier([
    ['a member who opens a members-only document', 1, 2, 'member'],
    ['an owner who opens a private document', 2, 2, 'owner'],
    ['an owner who opens a document under review', 0, 6, 'owner'],
  ] as const),
)(
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
