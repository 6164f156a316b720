import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { createUser } from '#modules/account/account.ts';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { VERSION } from '#platform/server/version.ts';
import { testApp } from '#testing/test-app.ts';
import type { Sharer } from './statistics.contract.ts';

const { app, as, ctx, clock } = await testApp();
const category_id = await createCategoryChain(ctx);
const statsOf = async (headers = {}) => (await app.inject({ url: '/api/v1/stats', headers })).json();
const sharers = async (): Promise<Sharer[]> => (await app.inject('/api/v1/stats/sharer')).json().user;
async function share(owner: { id: number }, publishedAt = clock.now, change = sql`visibility = 0`) {
  const id = await addConvertedDocument(ctx, owner, { category_id });
  await ctx.db.execute(
    sql`update documents set published_at = ${publishedAt.toISOString()}, ${change} where id = ${id}`,
  );
  return id;
}

/** Figures are cached for half a minute. */
const expireCache = () => {
  clock.now = new Date(clock.now.getTime() + 30_001);
};
beforeEach(expireCache);

test('GET /stats returns the numbers of public documents and of users to visitors', async () => {
  const owner = await newUploader(ctx);
  const before = await statsOf();
  expireCache();
  await share(owner);
  await share(owner, clock.now, sql`visibility = 2`);
  await share(owner, clock.now, sql`review_state = 'disabled'`);
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

test('GET /stats returns system figures only with the permission', async () => {
  const systemFields = [
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
  const stats = await statsOf(await as.userWith(['ConfigAPI/GetStats']));
  expect(Object.keys(stats)).toEqual(expect.arrayContaining(systemFields));
  expect(stats.category_count).toBeGreaterThan(0);
  expect(stats.hash).toMatch(stats.build_at === null ? /^$/ : /^[0-9a-f]{12}$/);
  // A deleted comment is not counted.
  expect([stats.comment_count, stats.report_count]).toEqual([1, 1]);
  for (const headers of [{}, await as.user()])
    for (const name of systemFields) expect(await statsOf(headers)).not.toHaveProperty(name);
});

test('GET /stats returns figures that the settings hide only with the permission', async () => {
  const staffHeaders = await as.userWith(['ConfigAPI/GetStats']);
  for (const name of ['show_document_count', 'show_register_user_count'])
    await setSetting(ctx, `display.${name}`, 'false');
  expect(await statsOf()).toMatchObject({ document_count: 0, user_count: 0 });
  expect((await statsOf(staffHeaders)).user_count).toBeGreaterThan(0);
  for (const name of ['show_document_count', 'show_register_user_count'])
    await setSetting(ctx, `display.${name}`, 'true');
  expect((await statsOf()).user_count).toBeGreaterThan(0);
});

test('GET /stats counts at most once in half a minute', async () => {
  const { user_count } = await statsOf();
  await createUser(ctx, { username: 'counted-later', password: 'a-password' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => statsOf()));
  expect(new Set(answers.map((each) => each.user_count))).toEqual(new Set([user_count]));
  expireCache();
  expect((await statsOf()).user_count).toBe(user_count + 1);
});

test('the sharers of the week are the users with the most public documents of the last seven days', async () => {
  const [busy, calm, early, hiddenUploader] = await Promise.all([1, 2, 3, 4].map(() => newUploader(ctx)));
  if (!busy || !calm || !early || !hiddenUploader) throw new Error('newUploader returned no user');
  const start = clock.now;
  await share(early, new Date(start.getTime() - 7 * 86_400_000 - 1));
  for (let at = 0; at < 4; at++) await share(busy);
  for (let at = 0; at < 3; at++) await share(calm);
  for (let at = 0; at < 5; at++) await share(hiddenUploader, start, sql`review_state = 'under-review'`);
  const topSharers = await sharers();
  const createdSharers = topSharers.filter(({ id }) =>
    [busy, calm, early, hiddenUploader].some((each) => each.id === id),
  );
  expect(createdSharers.map(({ id, doc_count }) => [id, doc_count])).toEqual([
    [busy.id, 4],
    [calm.id, 3],
  ]);
  expect(topSharers.length).toBeLessThanOrEqual(5);
  expect(Object.keys(createdSharers[0] ?? {}).sort()).toEqual([
    ...['avatar', 'doc_count', 'id', 'signature', 'username'],
  ]);
});
