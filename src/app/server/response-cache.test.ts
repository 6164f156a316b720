import { gunzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { documents } from '#modules/document/document.table.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { publishText } from '#modules/search/search.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { waitForInvalidations } from '#platform/server/cache/live-cache.fixture.ts';
import { startSecondNode } from '#testing/second-node.ts';
import { testApp } from '#testing/test-app.ts';

const { app, as, ctx, pool, url, clock } = await testApp({
  cachesResponses: true,
  env: { TRUSTED_PROXIES: '127.0.0.1' },
});
const root = await as.root();
const { app: otherServer } = await startSecondNode({ ctx, url, clock }, { cachesResponses: true });

type Row = { id: number; title: string };
type Headers = Record<string, string | undefined>;
const get = (path: string, headers: Headers = {}, server = app) => server.inject({ url: `/api/v1${path}`, headers });
const titles = async (path: string, headers: Headers = {}, server = app) =>
  (await get(path, headers, server)).json().document.map(({ title }: Row) => title);
const detailsPath = (id: number) => `/document?id=${id}`;
const rename = (id: number, title: string) =>
  app.inject({ method: 'PUT', url: '/api/v1/document', headers: root, payload: { id, title, category_id: [1] } });
/** Changes a title without an event, so that only an uncached response shows it. */
const changeSilently = (id: number, title: string) =>
  ctx.db.update(documents).set({ title }).where(eq(documents.id, id));
const newWord = () => `q${crypto.randomUUID().slice(0, 8).replaceAll('-', '')}`;
async function publish(pages = ['正文']) {
  const title = `题目 ${newWord()}`;
  const id = await publishText(ctx, { title, pages });
  await waitForInvalidations(ctx);
  return { id, title };
}
async function index() {
  await indexQueuedDocuments(ctx);
  await waitForInvalidations(ctx);
}

test('visitors share the response of a list, of a document and of a search until a document changes', async () => {
  const word = newWord();
  const { id, title } = await publish([word]);
  await index();
  const paths = ['/document/list?size=50', '/document/home', `/document/search?wd=${word}`];
  const firstBodies = await Promise.all([...paths, detailsPath(id)].map(async (path) => (await get(path)).body));
  expect(firstBodies.filter((body) => body.includes(title))).toHaveLength(3);
  await changeSilently(id, '没有人听说');
  const cachedBodies = await Promise.all([...paths, detailsPath(id)].map(async (path) => (await get(path)).body));
  expect(cachedBodies).toEqual(firstBodies);
  await rename(id, '改过的题目');
  expect(await titles('/document/list?size=50')).toContain('改过的题目');
  expect((await get(detailsPath(id))).json().title).toBe('改过的题目');
});

test('a change on one node reaches the cached responses of another', async () => {
  const { id, title } = await publish();
  expect((await get(detailsPath(id), {}, otherServer)).json().title).toBe(title);
  expect(await titles('/document/list?size=50', {}, otherServer)).toContain(title);
  await rename(id, '另一个节点也看到');
  await expect.poll(() => titles('/document/list?size=50', {}, otherServer)).toContain('另一个节点也看到');
  await expect.poll(async () => (await get(detailsPath(id), {}, otherServer)).json().title).toBe('另一个节点也看到');
});

test('users, and browsers that just changed something, never get a cached response', async () => {
  const { id, title } = await publish();
  expect((await get(detailsPath(id))).json().title).toBe(title);
  await changeSilently(id, '只有数据库知道');
  for (const headers of [root, await as.user(), { cookie: 'douku_writer=1' }])
    expect((await get(detailsPath(id), headers)).json().title).toBe('只有数据库知道');
  expect((await get(detailsPath(id))).json().title).toBe(title);
});

test('a disabled document is missing in the next response', async () => {
  const { id, title } = await publish();
  expect((await get(detailsPath(id))).statusCode).toBe(200);
  expect(await titles('/document/list?size=50')).toContain(title);
  const payload = { id: [id], status: 4 };
  const response = await app.inject({ method: 'PUT', url: '/api/v1/document/check', headers: root, payload });
  expect(response.statusCode).toBe(200);
  expect((await get(detailsPath(id))).statusCode).toBe(404);
  expect(await titles('/document/list?size=50')).not.toContain(title);
});

test('a newly indexed document is found by a search that was cached before', async () => {
  const word = newWord();
  const path = `/document/search?wd=${word}`;
  expect((await get(path)).json().total).toBe(0);
  await publish([word]);
  await indexQueuedDocuments(ctx);
  await expect.poll(async () => (await get(path)).json().total).toBe(1);
});

test('every search and every view is recorded, also when its response is cached', async () => {
  const word = newWord();
  const { id } = await publish([word]);
  await index();
  const visitors = ['198.51.100.1', '198.51.100.2', '198.51.100.3'].map((ip) => ({ 'x-forwarded-for': ip }));
  for (const headers of visitors) {
    expect((await get(`/document/search?wd=${word}`, headers)).json().total).toBe(1);
    expect((await get(`${detailsPath(id)}&with_author=true`, headers)).statusCode).toBe(200);
  }
  const { rows: records } = await pool.query('select ip, total from search_records where keywords = $1 order by ip', [
    word,
  ]);
  expect(records).toEqual(visitors.map((headers) => ({ ip: headers['x-forwarded-for'], total: 1 })));
  const { rows: views } = await pool.query('select view_count from documents where id = $1', [id]);
  expect(views).toEqual([{ view_count: 3 }]);
});

test('a cached response is sent compressed to clients that accept gzip', async () => {
  await publish();
  const path = '/document/list?size=50';
  const plainResponse = await get(path);
  const gzipResponse = await get(path, { 'accept-encoding': 'gzip' });
  expect([plainResponse.headers['content-encoding'], gzipResponse.headers['content-encoding']]).toEqual([
    undefined,
    'gzip',
  ]);
  expect(gunzipSync(gzipResponse.rawPayload).toString()).toBe(plainResponse.body);
  expect(gzipResponse.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-store' });
});

test('`field` and wrong parameters apply to cached responses as to others', async () => {
  await publish();
  const rows: Row[] = (await get('/document/list?size=5&field=id&field=title')).json().document;
  expect(new Set(rows.flatMap((row) => Object.keys(row)))).toEqual(new Set(['id', 'title']));
  for (let count = 0; count < 2; count++) expect((await get('/document/list?size=many')).statusCode).toBe(400);
});

test('a lower preview limit of the default role reaches cached responses of every node', async () => {
  const { id } = await publish(['第一页', '第二页', '第三页']);
  const readPreview = async (server: typeof app) => (await get(detailsPath(id), {}, server)).json().preview;
  expect([await readPreview(app), await readPreview(otherServer)]).toEqual([0, 0]);
  const { rows } = await pool.query('select id from roles where is_default');
  const payload = { id: Number(rows[0].id), max_preview: 1 };
  const response = await app.inject({ method: 'PUT', url: '/api/v1/group', headers: root, payload });
  expect(response.statusCode).toBe(200);
  for (const server of [app, otherServer]) await expect.poll(() => readPreview(server)).toBe(1);
});

test('a closed site refuses a cached response', async () => {
  const { id } = await publish();
  expect((await get(detailsPath(id))).statusCode).toBe(200);
  await setSetting(ctx, 'security.is_close', 'true');
  expect((await get(detailsPath(id))).statusCode).toBe(503);
  await setSetting(ctx, 'security.is_close', 'false');
});
