import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { buildContext } from '#app/server/build-context.ts';
import { buildServer } from '#app/server/build-server.ts';
import { balanceOf, range } from '#modules/credit/credit.fixture.ts';
import { brokenRules } from '#modules/credit/ledger.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { createLog } from '#platform/server/log.ts';
import { testApp } from '#testing/test-app.ts';
import { documentAt, downloadCountOf, readerWith } from './download.fixture.ts';
import { purchases } from './download.table.ts';

const { app, clock, ctx, pool, url } = await testApp();

/** A second web process over the same database: its own pool, its own caches. */
const log = createLog('error');
const second = await buildContext(ctx.config, url, log, () => clock.now);
const secondApp = await buildServer(second.ctx, second.pool, { log, pages: null });
afterAll(async () => {
  await secondApp.close();
  await second.close();
});
for (const name of ['times_every_day', 'times_every_ip']) await setSetting(ctx, `download.${name}`, '100000');

const buy = (at: number, id: number, price: number, headers: { authorization: string }) =>
  (at % 2 ? app : secondApp).inject({
    url: `/api/v1/document/download?id=${id}&price=${price}`,
    headers,
  });

test('50 downloads of one buyer at once, over two nodes, are one purchase', async () => {
  const { id, author } = await documentAt(ctx, 7);
  const before = await balanceOf(ctx, author.id);
  const reader = await readerWith(ctx, 10);
  const answers = await Promise.all(range(50).map((at) => buy(at, id, 7, reader.headers)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(range(50).map(() => 200));
  expect(await balanceOf(ctx, reader.id)).toBe(3);
  expect(await balanceOf(ctx, author.id)).toBe(before + 7);
  expect(await ctx.db.select().from(purchases).where(eq(purchases.document_id, id))).toHaveLength(1);
  expect(await downloadCountOf(ctx, id)).toBe(50);
  expect(await brokenRules(pool)).toEqual([]);
});

test('whoever can pay for three of ten documents bought at once gets three', async () => {
  const offers = await Promise.all(range(10).map(() => documentAt(ctx, 3)));
  const reader = await readerWith(ctx, 10);
  const answers = await Promise.all(offers.map(({ id }, at) => buy(at, id, 3, reader.headers)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3);
  for (const { statusCode, json } of answers) if (statusCode !== 200) expect(json().message).toBe('豆不足，无法下载');
  expect(await balanceOf(ctx, reader.id)).toBe(1);
  expect(await brokenRules(pool)).toEqual([]);
});

test('people who buy from each other at once all get theirs, and every bean is accounted for', async () => {
  const people = await Promise.all(range(4).map(() => documentAt(ctx, 1)));
  const beans = await Promise.all(people.map(({ author }) => balanceOf(ctx, author.id)));
  // Each has a role that allows uploads and downloads, and beans of the own upload to spend.
  const pairs = people.flatMap((buyer) =>
    people.filter((each) => each !== buyer).map(({ id }) => ({ id, buyer: buyer.author })),
  );
  const answers = await Promise.all(pairs.map(({ id, buyer }, at) => buy(at, id, 1, buyer.headers)));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await Promise.all(people.map(({ author }) => balanceOf(ctx, author.id)))).toEqual(beans);
  expect(await brokenRules(pool)).toEqual([]);
});
