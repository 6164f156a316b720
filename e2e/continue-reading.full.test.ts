import { expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addDocument } from '#modules/document/document.fixture.ts';
import { newReaderWithCredit } from '#modules/download/download-document.fixture.ts';
import { findAxeProblems } from './support/axe.ts';
import { phone, startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { ctx, pool, visitAs, errors } = site;
const author = await newAuthor(site);

test('a reader continues on another device at the saved page, from the document, the home page and the reading history', async () => {
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
  const readPosition = async () =>
    (await pool.query('select page from reading_positions where user_id = $1', [reader.id])).rows.at(0)?.page;
  // The reading line may still lie on the page before.
  await expect.poll(readPosition).toBeOneOf([11, 12]);
  const savedPage = await readPosition();
  await page.close();
  const readViewCount = async () =>
    (await pool.query('select view_count from documents where id = $1', [id])).rows[0].view_count;
  expect(await readViewCount()).toBe(1);

  const phonePage = await visitAs(reader.headers, `/document/${id}`, phone);
  await expect.poll(() => new URL(phonePage.url()).hash).toMatch(/^#p=1[12]$/);
  await phonePage.goto('/');
  const continueReading = phonePage.getByRole('region', { name: '继续阅读' });
  await continueReading.getByText(/^已读 \d+%$/).waitFor();
  expect(await continueReading.getByRole('link', { name: '读到一半的书' }).getAttribute('href')).toBe(
    `/document/${id}#p=${savedPage}`,
  );
  await continueReading.getByRole('link', { name: '阅读历史' }).click();
  await phonePage.getByText(/^读到第 1[12] 页，共 20 页$/).waitFor();
  expect(await findAxeProblems(phonePage)).toEqual([]);
  await phonePage.getByRole('button', { name: '清空' }).click();
  await phonePage.getByText('您确定要清空阅读历史吗？').waitFor();
  await phonePage.getByRole('button', { name: '确定清空' }).click();
  await phonePage.getByText('还没有阅读记录').waitFor();
  expect(await readViewCount()).toBe(1);
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
