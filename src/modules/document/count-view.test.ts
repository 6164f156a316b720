import { beforeEach, expect, test } from 'vitest';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { countView, deleteOldViews } from './count-view.ts';
import { addConvertedDocument, newBranch, newUploader } from './document.fixture.ts';

const { app, ctx, clock, pool } = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
const HOUR_MS = 60 * 60 * 1000;
const owner = await newUploader(ctx);
const category_id = await newBranch(ctx);
let id = 0;
beforeEach(async () => {
  clock.now = new Date('2026-03-01T08:00:00Z');
  id = await addConvertedDocument(ctx, owner, { category_id });
});

type Viewer = { authorization?: string; 'x-forwarded-for'?: string; 'user-agent'?: string };
const view = (headers: Viewer = {}) =>
  app.inject({ method: 'POST', url: '/api/v1/document/view', headers, payload: { id } });
const views = async () => (await pool.query('select view_count from documents where id = $1', [id])).rows[0].view_count;

test('2,000 viewers who come together are 2,000 views, and as many reloads are none', async () => {
  const viewers: Viewer[] = Array.from({ length: 2_000 }, (_, at) => ({
    'x-forwarded-for': `10.0.${at >> 8}.${at & 255}`,
    'user-agent': 'a browser',
  }));
  // Twice each, mixed, two hundred at a time.
  const looks = [...viewers, ...viewers].sort((a, b) =>
    String(a['x-forwarded-for']).localeCompare(String(b['x-forwarded-for'])),
  );
  const statuses = new Set<number>();
  for (let from = 0; from < looks.length; from += 200)
    for (const { statusCode } of await Promise.all(looks.slice(from, from + 200).map(view))) statuses.add(statusCode);
  expect([...statuses]).toEqual([200]);
  expect(await views()).toBe(2_000);
});

test('a viewer is a user wherever they are, or an address with its program', async () => {
  const here = { 'x-forwarded-for': '10.1.0.1', 'user-agent': 'one' };
  for (const headers of [here, here, { ...here, 'user-agent': 'two' }]) await view(headers);
  expect(await views()).toBe(2);
  const reader = await newMember(ctx);
  for (const address of ['10.1.0.1', '10.1.0.2']) await view({ ...reader.headers, 'x-forwarded-for': address });
  expect(await views()).toBe(3);
});

test('whoever comes back hours later is a view again, also after old ones are forgotten', async () => {
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

test('the owner, a page drawn by the server and what is not to be seen count nothing', async () => {
  await view(owner.headers);
  await countView({ ...ctx, client: { ip: '', userAgent: '' } }, { id, user_id: owner.id });
  expect(await views()).toBe(0);
  await pool.query('update documents set visibility = 2 where id = $1', [id]);
  expect((await view()).statusCode).toBe(404);
  expect(await views()).toBe(0);
});

test('reading a document with its author is a view too, and the same one as that of its page', async () => {
  const read = () => app.inject({ url: `/api/v1/document?id=${id}&with_author=true` });
  await read();
  await view();
  await read();
  expect(await views()).toBe(1);
});
