import { expect, test } from 'vitest';
import { payAwards } from '#modules/document/document.fixture.ts';
import { rowsForTier } from '#testing/test-tier.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, ctx, pool, errors } = site;

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

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
