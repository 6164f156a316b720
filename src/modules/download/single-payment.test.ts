import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { balanceOf, numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { payAwards } from '#modules/document/document.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { startSecondNode } from '#testing/second-node.ts';
import { testApp } from '#testing/test-app.ts';
import { purchases } from './download.table.ts';
import { addPricedDocument, newReaderWithCredit, readDownloadCount } from './download-document.fixture.ts';

const firstNode = await testApp();
const { app, ctx, pool } = firstNode;
const { app: secondApp } = await startSecondNode(firstNode);
for (const name of ['times_every_day', 'times_every_ip']) await setSetting(ctx, `download.${name}`, '100000');

const purchase = (index: number, id: number, price: number, headers: { authorization: string }) =>
  (index % 2 ? app : secondApp).inject({
    url: `/api/v1/document/download?id=${id}&price=${price}`,
    headers,
  });

test('50 concurrent downloads of one buyer on two nodes are one purchase', async () => {
  const { id, author } = await addPricedDocument(ctx, 7);
  const before = await balanceOf(ctx, author.id);
  const reader = await newReaderWithCredit(ctx, 10);
  const responses = await Promise.all(numbersUpTo(50).map((index) => purchase(index, id, 7, reader.headers)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(numbersUpTo(50).map(() => 200));
  expect(await balanceOf(ctx, reader.id)).toBe(3);
  expect(await balanceOf(ctx, author.id)).toBe(before + 7);
  expect(await ctx.db.select().from(purchases).where(eq(purchases.document_id, id))).toHaveLength(1);
  expect(await readDownloadCount(ctx, id)).toBe(50);
  expect(await findLedgerViolations(pool)).toEqual([]);
});

test('a buyer with credit for three of ten concurrently bought documents gets three', async () => {
  const offers = await Promise.all(numbersUpTo(10).map(() => addPricedDocument(ctx, 3)));
  const reader = await newReaderWithCredit(ctx, 10);
  const responses = await Promise.all(offers.map(({ id }, index) => purchase(index, id, 3, reader.headers)));
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3);
  for (const { statusCode, json } of responses) if (statusCode !== 200) expect(json().message).toBe('豆不足，无法下载');
  expect(await balanceOf(ctx, reader.id)).toBe(1);
  expect(await findLedgerViolations(pool)).toEqual([]);
});

test('users who concurrently buy from each other all succeed, and the total credit stays the same', async () => {
  const sellers = await Promise.all(numbersUpTo(4).map(() => addPricedDocument(ctx, 1)));
  await payAwards(ctx);
  const creditBefore = await Promise.all(sellers.map(({ author }) => balanceOf(ctx, author.id)));
  // Each seller has a role that allows uploads and downloads, and credit from the upload.
  const pairs = sellers.flatMap((buyer) =>
    sellers.filter((seller) => seller !== buyer).map(({ id }) => ({ id, buyer: buyer.author })),
  );
  const responses = await Promise.all(pairs.map(({ id, buyer }, index) => purchase(index, id, 1, buyer.headers)));
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await Promise.all(sellers.map(({ author }) => balanceOf(ctx, author.id)))).toEqual(creditBefore);
  expect(await findLedgerViolations(pool)).toEqual([]);
});
