import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addDocument } from '#modules/document/document.fixture.ts';
import { newReaderWithCredit } from '#modules/download/download.fixture.ts';
import { rowsForTier } from '#testing/tier.ts';
import { findAxeProblems } from './support/axe.ts';
import { desktop, phone, startSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startSite();
const { ctx, pool, visit, visitAs, errors } = site;
const author = await newAuthor(site);

/** A paid document of ten pages of which everybody may read two. */
async function forSale(title: string): Promise<number> {
  const bytes = makePdf({ pages: 10, text: (page) => `Page ${page} of ${crypto.randomUUID()}` });
  const { category_id } = author;
  const { id } = await addDocument(ctx, author, {
    title,
    price: 3,
    category_id,
    bytes,
    ext: '.pdf',
  });
  await waitForStatus(site, id, 2);
  await pool.query('update documents set preview = 2 where id = $1', [id]);
  return id;
}
const press = (page: Page) => page.getByRole('button', { name: /^下载/ }).locator('visible=true').first().click();
const darken = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });

test.each(
  rowsForTier([
    ['1280 px', desktop],
    ['390 px', phone],
  ]),
)('at %s somebody learns what a document costs, buys it and has it for good', async (_, device) => {
  const id = await forSale('线性代数（上）');
  const guest = await visit(`/document/${id}`, device);
  await guest.getByText('还有 8 页没有显示').waitFor();
  await press(guest);
  const asked = guest.getByRole('dialog');
  await asked.getByText('付费文档，请先登录再下载').waitFor();
  expect(await asked.getByRole('link', { name: '登录' }).getAttribute('href')).toBe(
    `/login?redirect=${encodeURIComponent(`/document/${id}`)}`,
  );
  expect(await findAxeProblems(guest)).toEqual([]);
  await darken(guest);
  expect(await findAxeProblems(guest)).toEqual([]);

  const poor = await newReaderWithCredit(ctx, 1);
  const wishing = await visitAs(poor.headers, `/document/${id}`, device);
  await press(wishing);
  await wishing.getByText('豆不足，无法下载').waitFor();
  await wishing.getByText('还差').waitFor();
  await wishing.getByRole('dialog').getByRole('link', { name: '上传文档' }).waitFor();

  const reader = await newReaderWithCredit(ctx, 10);
  const page = await visitAs(reader.headers, `/document/${id}`, device);
  await press(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('在线阅读全文，共 10 页').waitFor();
  expect(await dialog.locator('dl').textContent()).toBe('售价3 豆我的余额10 豆购买后剩余7 豆');
  expect(await findAxeProblems(page)).toEqual([]);
  const box = await dialog.boundingBox();
  expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= device.viewport.width).toBe(true);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '支付 3 豆并下载' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('线性代数（上）.pdf');
  await page.getByText('购买成功，已开始下载').waitFor();
  await expect.poll(() => page.getByText('页没有显示').count()).toBe(0);
  const { rows } = await pool.query('select credit_count::int from users where id = $1', [reader.id]);
  expect(rows).toEqual([{ credit_count: 7 }]);
  // Theirs now: neither a price nor a question any more. The bars come back where one scrolls up.
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('button', { name: '下载', exact: true }).locator('visible=true').waitFor();
  await Promise.all([page.waitForEvent('download'), press(page)]);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.goto(`/user/${reader.id}/download`);
  const mine = page.getByRole('list', { name: '我的下载' }).getByRole('listitem');
  await expect.poll(() => mine.allTextContents()).toHaveLength(2);
  await mine.last().getByText('支付 3 豆').waitFor();
});

test('whoever reads on finds the place again elsewhere, on the home page and in the history', async () => {
  const bytes = makePdf({ pages: 20, text: (page) => `Chapter ${page}` });
  const { category_id } = author;
  const { id } = await addDocument(ctx, author, {
    title: '读到一半的书',
    category_id,
    bytes,
    ext: '.pdf',
  });
  await waitForStatus(site, id, 2);
  const reader = await newReaderWithCredit(ctx);
  const page = await visitAs(reader.headers, `/document/${id}#p=12`);
  const position = async () =>
    (await pool.query('select page from reading_positions where user_id = $1', [reader.id])).rows.at(0)?.page;
  // The line one reads at may still lie on the page before.
  await expect.poll(position).toBeOneOf([11, 12]);
  const at = await position();
  await page.close();
  const views = async () =>
    (await pool.query('select view_count from documents where id = $1', [id])).rows[0].view_count;
  expect(await views()).toBe(1);

  const elsewhere = await visitAs(reader.headers, `/document/${id}`, phone);
  await expect.poll(() => new URL(elsewhere.url()).hash).toMatch(/^#p=1[12]$/);
  await elsewhere.goto('/');
  const strip = elsewhere.getByRole('region', { name: '继续阅读' });
  await strip.getByText(/^已读 \d+%$/).waitFor();
  expect(await strip.getByRole('link', { name: '读到一半的书' }).getAttribute('href')).toBe(`/document/${id}#p=${at}`);
  await strip.getByRole('link', { name: '阅读历史' }).click();
  await elsewhere.getByText(/^读到第 1[12] 页，共 20 页$/).waitFor();
  expect(await findAxeProblems(elsewhere)).toEqual([]);
  await elsewhere.getByRole('button', { name: '清空' }).click();
  await elsewhere.getByText('您确定要清空阅读历史吗？').waitFor();
  await elsewhere.getByRole('button', { name: '确定清空' }).click();
  await elsewhere.getByText('还没有阅读记录').waitFor();
  expect(await views()).toBe(1);
});

test('nothing went wrong in the browser', () => {
  expect(errors).toEqual([]);
});
