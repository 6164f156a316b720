import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { documents } from '#modules/document/document.table.ts';
import type { Context } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import type { SearchHit } from './search.contract.ts';
import { publishText } from './search.fixture.ts';
import { searchEnv, syncSearchEngine } from './search-engine.fixture.ts';

const { app, as, ctx, pool } = await testApp({ env: searchEnv() });
const ask = (query: Record<string, string>) =>
  app.inject({ url: '/api/v1/document/search', query, headers: as.visitor });
const search = async (
  query: Record<string, string>,
): Promise<{ total: number; is_exact: boolean; max_page: number; document: SearchHit[] }> => (await ask(query)).json();

test('an excluded phrase hides documents that contain it, not documents that have its words apart', async () => {
  await publishText(ctx, { title: '分开的', pages: ['zebra', 'deep water', 'blue sea'] });
  await publishText(ctx, { title: '相连的', pages: ['zebra', 'deep sea'] });
  await indexQueuedDocuments(ctx);
  await syncSearchEngine(ctx);
  const { document } = await search({ wd: 'zebra -"deep sea"' });
  expect(document.map(({ title }) => title)).toEqual(['分开的']);
});

test('a search rejects an invalid time with 400 and returns the correct total beyond the last page', async () => {
  const infinite = await ask({ wd: 'zebra', created_at: 'infinity' });
  expect([infinite.statusCode, infinite.json().message]).toEqual([400, '时间不正确']);
  expect(await search({ wd: 'zebra', page: '900' })).toMatchObject({ total: 2, document: [] });
});

test('indexing postpones a document whose text cannot be read and indexes the others', async () => {
  const unreadableId = await publishText(ctx, { title: '读不到的', pages: ['quagga'] });
  const readableId = await publishText(ctx, { title: '读得到的', pages: ['quagga'] });
  const [row] = await ctx.db
    .select({ rendition: renditions })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(eq(documents.id, unreadableId));
  if (!row) throw new Error('the document has no rendition');
  const { text } = renditionStorageKeys(row.rendition);
  // The storage fails, because file permissions do not apply to tests that run as root.
  const storage: Context['storage'] = {
    ...ctx.storage,
    read: (key, maxBytes) => (key === text ? Promise.reject(new Error('EIO')) : ctx.storage.read(key, maxBytes)),
  };
  await indexQueuedDocuments({ ...ctx, storage });
  await syncSearchEngine(ctx);
  const foundIds = async () => (await search({ wd: 'quagga' })).document.map(({ id }) => id);
  expect(await foundIds()).toEqual([readableId]);
  await pool.query('update search_index_queue set retry_at = now()');
  await indexQueuedDocuments(ctx);
  await syncSearchEngine(ctx);
  expect((await foundIds()).toSorted()).toEqual([unreadableId, readableId].toSorted());
});
