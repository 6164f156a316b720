import { beforeEach, expect, test } from 'vitest';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { amountForTier } from '#testing/test-tier.ts';
import { countView, deleteOldViews } from './count-view.ts';
import { addConvertedDocument, createCategoryChain, newUploader } from './document.fixture.ts';

const { app, ctx, clock, pool } = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
const HOUR_MS = 60 * 60 * 1000;
const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
let id = 0;
beforeEach(async () => {
  clock.now = new Date('2026-03-01T08:00:00Z');
  id = await addConvertedDocument(ctx, owner, { category_id });
});

type Viewer = { authorization?: string; 'x-forwarded-for'?: string; 'user-agent'?: string };
const view = (headers: Viewer = {}) =>
  app.inject({ method: 'POST', url: '/api/v1/document/view', headers, payload: { id } });
const views = async () => (await pool.query('select view_count from documents where id = $1', [id])).rows[0].view_count;

const VIEWER_COUNT = amountForTier({ quick: 200, full: 2_000 });
test('many concurrent viewers count as one view each, and their reloads are not counted', async () => {
  const viewers: Viewer[] = Array.from({ length: VIEWER_COUNT }, (_, at) => ({
    'x-forwarded-for': `10.0.${at >> 8}.${at & 255}`,
    'user-agent': 'a browser',
  }));
  // Two views per viewer, interleaved, 200 at a time.
  const requests = [...viewers, ...viewers].sort((a, b) =>
    String(a['x-forwarded-for']).localeCompare(String(b['x-forwarded-for'])),
  );
  const statuses = new Set<number>();
  for (let from = 0; from < requests.length; from += 200)
    for (const { statusCode } of await Promise.all(requests.slice(from, from + 200).map(view)))
      statuses.add(statusCode);
  expect([...statuses]).toEqual([200]);
  expect(await views()).toBe(VIEWER_COUNT);
});

test('views are distinguished by account for members and by IP address and user agent for visitors', async () => {
  const visitor = { 'x-forwarded-for': '10.1.0.1', 'user-agent': 'one' };
  for (const headers of [visitor, visitor, { ...visitor, 'user-agent': 'two' }]) await view(headers);
  expect(await views()).toBe(2);
  const reader = await newMember(ctx);
  for (const address of ['10.1.0.1', '10.1.0.2']) await view({ ...reader.headers, 'x-forwarded-for': address });
  expect(await views()).toBe(3);
});

test('a viewer who returns after six hours counts again, also after old views were deleted', async () => {
  const start = clock.now.getTime();
  await view();
  clock.now = new Date(start + 6 * HOUR_MS - 1);
  await view();
  await deleteOldViews.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
  await view();
  expect(await views()).toBe(1);
  clock.now = new Date(start + 6 * HOUR_MS);
  await view();
  expect(await views()).toBe(2);
  clock.now = new Date(start + 20 * HOUR_MS);
  await deleteOldViews.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
  const { rows } = await pool.query('select 1 from document_views where document_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('views by the owner, by server rendering and of hidden documents are not counted', async () => {
  await view(owner.headers);
  await countView({ ...ctx, client: { ip: '', userAgent: '' } }, { id, user_id: owner.id });
  expect(await views()).toBe(0);
  await pool.query('update documents set visibility = 2 where id = $1', [id]);
  expect((await view()).statusCode).toBe(404);
  expect(await views()).toBe(0);
});

test('a request with with_author=true counts as the same view as the document page', async () => {
  const read = () => app.inject({ url: `/api/v1/document?id=${id}&with_author=true` });
  await read();
  await view();
  await read();
  expect(await views()).toBe(1);
});
