import { sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { createUser } from '#modules/account/account.ts';
import { addConvertedDocument, newBranch, newUploader } from '#modules/document/document.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { VERSION } from '#platform/server/version.ts';
import { testApp } from '#testing/test-app.ts';
import type { Sharer } from './statistics.contract.ts';

const { app, as, ctx, clock } = await testApp();
const category_id = await newBranch(ctx);
const statsOf = async (headers = {}) => (await app.inject({ url: '/api/v1/stats', headers })).json();
const sharers = async (): Promise<Sharer[]> => (await app.inject('/api/v1/stats/sharer')).json().user;
async function share(owner: { id: number }, published = clock.now, change = sql`visibility = 0`) {
  const id = await addConvertedDocument(ctx, owner, { category_id });
  await ctx.db.execute(sql`update documents set published_at = ${published.toISOString()}, ${change} where id = ${id}`);
  return id;
}

/** Figures are kept for half a minute. */
vi.useFakeTimers({ toFake: ['performance'] });
const later = () => vi.advanceTimersByTime(30_000);
beforeEach(later);

test('everybody is told how many documents can be seen and how many people there are', async () => {
  const owner = await newUploader(ctx);
  const before = await statsOf();
  later();
  await share(owner);
  await share(owner, clock.now, sql`visibility = 2`);
  await share(owner, clock.now, sql`status = 4`);
  await setSetting(ctx, 'display.virtual_register_count', '1000');
  const after = await statsOf();
  expect(after).toEqual({
    user_count: before.user_count + 1000,
    document_count: before.document_count + 1,
    article_count: before.article_count,
    version: VERSION,
  });
  await setSetting(ctx, 'display.virtual_register_count', '0');
});

test('only those who may look at the system are told what it consists of', async () => {
  const inner = [
    ...['os', 'category_count', 'banner_count', 'friendlink_count'],
    ...['comment_count', 'report_count', 'hash', 'build_at'],
  ];
  const { id } = await newUploader(ctx);
  const document = await share({ id });
  for (const deleted_at of [null, '2026-01-01'])
    await ctx.db.execute(sql`
      insert into comments (document_id, user_id, content, status, deleted_at, created_at)
      values (${document}, ${id}, ${deleted_at ? '' : '写得清楚'}, 1, ${deleted_at}, now())`);
  await ctx.db.execute(sql`
    insert into reports (document_id, document_title, user_id, reason, created_at)
    values (${document}, '', ${id}, 1, now())`);
  const told = await statsOf(await as.userWith(['ConfigAPI/GetStats']));
  expect(Object.keys(told)).toEqual(expect.arrayContaining(inner));
  expect(told.category_count).toBeGreaterThan(0);
  expect(told.hash).toMatch(told.build_at === null ? /^$/ : /^[0-9a-f]{12}$/);
  // What its writer took back is not there any more.
  expect([told.comment_count, told.report_count]).toEqual([1, 1]);
  for (const headers of [{}, await as.user()])
    for (const name of inner) expect(await statsOf(headers)).not.toHaveProperty(name);
});

test('what the site does not want told is told only to those who may look at the system', async () => {
  const inner = await as.userWith(['ConfigAPI/GetStats']);
  for (const name of ['show_document_count', 'show_register_user_count'])
    await setSetting(ctx, `display.${name}`, 'false');
  expect(await statsOf()).toMatchObject({ document_count: 0, user_count: 0 });
  expect((await statsOf(inner)).user_count).toBeGreaterThan(0);
  for (const name of ['show_document_count', 'show_register_user_count'])
    await setSetting(ctx, `display.${name}`, 'true');
  expect((await statsOf()).user_count).toBeGreaterThan(0);
});

test('however many ask, it is counted once in half a minute', async () => {
  const { user_count } = await statsOf();
  await createUser(ctx, { username: 'counted-later', password: 'a-password' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => statsOf()));
  expect(new Set(answers.map((each) => each.user_count))).toEqual(new Set([user_count]));
  later();
  expect((await statsOf()).user_count).toBe(user_count + 1);
});

test('the sharers of the week are those with the most readable documents of seven days', async () => {
  const [busy, calm, early, hidden] = await Promise.all([1, 2, 3, 4].map(() => newUploader(ctx)));
  if (!busy || !calm || !early || !hidden) throw new Error('nobody uploads');
  const start = clock.now;
  await share(early, new Date(start.getTime() - 7 * 86_400_000 - 1));
  for (let at = 0; at < 4; at++) await share(busy);
  for (let at = 0; at < 3; at++) await share(calm);
  for (let at = 0; at < 5; at++) await share(hidden, start, sql`status = 6`);
  const found = await sharers();
  const told = found.filter(({ id }) => [busy, calm, early, hidden].some((each) => each.id === id));
  expect(told.map(({ id, doc_count }) => [id, doc_count])).toEqual([
    [busy.id, 4],
    [calm.id, 3],
  ]);
  expect(found.length).toBeLessThanOrEqual(5);
  expect(Object.keys(told[0] ?? {}).sort()).toEqual([...['avatar', 'doc_count', 'id', 'signature', 'username']]);
});
