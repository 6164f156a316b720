import { expect, test } from 'vitest';
import { says } from './account-people.ts';
import { inStatus, newAuthor } from './document-site.ts';
import { problemsOnDeskAndPhone } from './support/axe.ts';
import { desk, phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit, visitAs, pool, errors, address } = site;

test.each([
  ['1280 px', desk],
  ['390 px', phone],
])('at %s an author changes a document, deletes it and brings it back', async (_, device) => {
  const author = await newAuthor(site);
  const id = await author.add('我的第一篇文档');
  await inStatus(site, id, 2);
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
  await says(page, '更新成功');
  await page.getByText('教育考试 · 仅自己可见').waitFor();
  await page.getByText('6 豆', { exact: true }).waitFor();

  await page.getByRole('button', { name: '删除《改过名的文档》' }).click();
  await page.getByText('您确定要删除文档《改过名的文档》吗？').waitFor();
  await page.getByRole('button', { name: '确定删除' }).click();
  await says(page, '删除成功');
  await page.getByText('还没有文档').waitFor();
  await page.getByRole('link', { name: '回收站' }).click();
  await page.getByText(/^删除于/).waitFor();
  await page.getByRole('button', { name: '恢复《改过名的文档》' }).click();
  await says(page, '恢复成功');
  await page.getByText('回收站是空的').waitFor();
  await page.getByRole('link', { name: '我的文档', exact: true }).click();
  await page.getByRole('link', { name: '改过名的文档' }).waitFor();
  const { rows } = await pool.query('select credit_count::int from users where id = $1', [
    author.id,
  ]);
  expect(rows).toEqual([{ credit_count: 5 }]);
});

test('an author sees how far each document is and why one failed; progress comes by itself', async () => {
  const author = await newAuthor(site);
  const broken = await author.add('坏掉的文件', { broken: true });
  const id = await author.add('慢慢转换的文件');
  await inStatus(site, broken, 3);
  await inStatus(site, id, 2);
  const setPages = (ready: number, state: string) =>
    pool.query(
      `update contents set state = $2, pages = 30, ready_pages = $3
       where id = (select content_id from documents where id = $1)`,
      [id, state, ready],
    );
  await setPages(3, 'converting');
  const page = await visitAs(author.headers, `/user/${author.id}/document`);
  await page.getByText('转换中 3/30').waitFor();
  await page.getByText(/^原因：/).waitFor();
  await setPages(9, 'readable');
  await page.getByText('可以阅读，其余页转换中 9/30').waitFor();
  await setPages(30, 'ready');
  await expect.poll(() => page.getByText('可以阅读').count()).toBe(0);
});

test('visitors see what is for them, as rows, also without scripts', async () => {
  const author = await newAuthor(site);
  const shown = await author.add('公开的文档', { price: 3 });
  const hidden = await author.add('私人的文档');
  for (const id of [shown, hidden]) await inStatus(site, id, 2);
  await pool.query('update documents set visibility = 2 where id = $1', [hidden]);
  const html = await (await fetch(`${address}/user/${author.id}/document`)).text();
  expect(html).toContain('公开的文档');
  expect(html).not.toContain('私人的文档');
  const page = await visit(`/user/${author.id}/document`);
  const row = page.getByRole('listitem').filter({ hasText: '公开的文档' });
  await row.getByText('3 豆').waitFor();
  expect(await row.getByRole('link').getAttribute('href')).toBe(`/document/${shown}`);
  expect(await page.getByRole('button', { name: /编辑|删除/ }).count()).toBe(0);
  expect(await page.getByText('私人的文档').count()).toBe(0);
});

test('the own documents have no serious accessibility problem at a desk or on a phone, in light or dark', async () => {
  const author = await newAuthor(site);
  await inStatus(site, await author.add('读得清的文档'), 2);
  const page = await visitAs(author.headers, `/user/${author.id}/document`);
  await page.getByRole('link', { name: '读得清的文档' }).waitFor();
  const found = { list: await problemsOnDeskAndPhone(page), form: [] as string[] };
  await page.getByRole('button', { name: /^编辑/ }).click();
  await page.getByRole('dialog').waitFor();
  found.form = await problemsOnDeskAndPhone(page);
  expect(found).toEqual({ list: [], form: [] });
});

test('no page of an author threw an error', () => {
  expect(errors).toEqual([]);
});
