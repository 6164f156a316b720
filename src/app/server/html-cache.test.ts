import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { changeDocument } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { waitForComparison } from '#modules/near-copy/near-copy.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { waitForInvalidations } from '#platform/server/cache/live-cache.fixture.ts';
import { projectRoot } from '#platform/server/config.ts';
import { startSecondNode } from '#testing/second-node.ts';
import { testApp } from '#testing/test-app.ts';
import { VISITOR_CACHE_MAX_AGE_MS } from './visitor-cache.ts';

const build = join(projectRoot, 'build');
const { app, as, ctx, clock, pool, url } = await testApp({ build, runJobs: true });
const owner = await newPublisher(ctx);
/** Converted once; all documents of this test share the rendition. */
const file = makePdf({ pages: 1 });

type Headers = Record<string, string | undefined>;
const get = (path: string, headers: Headers = {}) => app.inject({ url: path, headers });
const titleOf = async (path: string, headers: Headers = {}) =>
  /<title>([^<]*) - 豆库<\/title>/.exec((await get(path, headers)).body)?.[1];
const scriptSourcesIn = (policy: unknown) => /script-src ([^;]*)/.exec(String(policy))?.[1]?.split(' ') ?? [];
const hashSource = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

async function publish(title = `书 ${crypto.randomUUID().slice(0, 8)}`) {
  const id = await owner.publish(file, '.pdf', { title });
  // Documents of the same file are twins: their comparison invalidates their pages.
  await waitForComparison(ctx, pool);
  await waitForInvalidations(ctx);
  return { id, title, path: `/document/${id}` };
}
const changeWithoutNotification = (id: number, title: string) =>
  ctx.db.update(documents).set({ title }).where(eq(documents.id, id));
const rename = (id: number, title: string, headers: Headers = owner.headers) =>
  app.inject({
    method: 'PUT',
    url: '/api/v1/document',
    headers,
    payload: { id, title },
  });

vi.useFakeTimers({ toFake: ['performance'] });
const advanceTime = (ms: number) => vi.advanceTimersByTime(ms);
// Expires the pages that earlier tests cached.
beforeEach(() => advanceTime(VISITOR_CACHE_MAX_AGE_MS + 1));

test('the HTML cache renders a page once and sends the same bytes and policy to everyone', async () => {
  const { id, title, path } = await publish();
  expect(await titleOf(path)).toBe(title);
  await changeWithoutNotification(id, '没有人听说');
  const [pages, policies] = [new Set<string>(), new Set<unknown>()];
  for (const headers of [{}, {}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'gzip, br' }]) {
    const response = await get(path, headers);
    const isGzipped = response.headers['content-encoding'] === 'gzip';
    expect(isGzipped).toBe('accept-encoding' in headers);
    pages.add(isGzipped ? gunzipSync(response.rawPayload).toString() : response.body);
    policies.add(response.headers['content-security-policy']);
  }
  expect([pages.size, policies.size]).toEqual([1, 1]);
  expect([...pages][0]).toContain(`<title>${title} - 豆库</title>`);
});

test.each(['/', '/category', '/article', `/user/${owner.id}`, '/document', '/document?embed=1', '/document/text'])(
  'the policy of the cached page %s allows exactly its inline scripts, by their hashes',
  async (page) => {
    const { path: documentPath } = await publish();
    const { body, headers } = await get(page.replace('/document', documentPath));
    const inlineScripts = [...body.matchAll(/<script(?! type="application\/ld\+json")[^>]*>(.+?)<\/script>/gs)];
    expect(inlineScripts.length).toBeGreaterThan(2);
    expect(new Set(scriptSourcesIn(headers['content-security-policy']))).toEqual(
      new Set(["'self'", ...inlineScripts.map(([, script = '']) => hashSource(script))]),
    );
    expect(body).not.toMatch(/ nonce="[^"]/);
  },
);

test('a page that is not cached allows its scripts by a new nonce each time', async () => {
  const { path } = await publish();
  const nonces = new Set<string>();
  for (let count = 0; count < 2; count++) {
    const { body, headers } = await get(path, { cookie: 'douku_writer=1' });
    const [, nonce = ''] = /'nonce-([\w+/=]{24})'/.exec(String(headers['content-security-policy'])) ?? [];
    expect(new Set([...body.matchAll(/ nonce="([^"]+)"/g)].map(([, each]) => each))).toEqual(new Set([nonce]));
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});

test('the HTML cache serves a page for at most 30 seconds after a change without notification', async () => {
  const { id, title, path } = await publish();
  await titleOf(path);
  await changeWithoutNotification(id, '悄悄改了');
  advanceTime(VISITOR_CACHE_MAX_AGE_MS);
  expect(await titleOf(path)).toBe(title);
  advanceTime(1);
  expect(await titleOf(path)).toBe('悄悄改了');
});

test('a changed document is shown without delay on every node, and pages of other documents stay cached', async () => {
  const { app: otherServer } = await startSecondNode({ ctx, url, clock }, { build });
  const [changedDocument, unchangedDocument] = [await publish(), await publish()];
  const bodiesOnBothNodes = async (path: string) => [(await get(path)).body, (await otherServer.inject(path)).body];
  for (const path of ['/', changedDocument.path, unchangedDocument.path])
    for (const html of await bodiesOnBothNodes(path)) expect(html).toContain(changedDocument.title.slice(0, 2));
  await changeWithoutNotification(unchangedDocument.id, '没有人听说');
  expect((await rename(changedDocument.id, '新的题目')).statusCode).toBe(200);
  for (const path of ['/', changedDocument.path])
    await expect
      .poll(async () => (await bodiesOnBothNodes(path)).every((html) => html.includes('新的题目')))
      .toBe(true);
  for (const html of await bodiesOnBothNodes(unchangedDocument.path)) expect(html).toContain(unchangedDocument.title);
});

test('the page of a deleted document is 404 without delay, and 200 again after it is restored', async () => {
  const { id, path } = await publish();
  expect((await get(path)).statusCode).toBe(200);
  const headers = await as.root();
  const response = await app.inject({
    method: 'DELETE',
    url: `/api/v1/document?id=${id}`,
    headers,
  });
  expect(response.statusCode).toBe(200);
  await expect.poll(async () => (await get(path)).statusCode).toBe(404);
  await app.inject({
    method: 'PUT',
    url: '/api/v1/document/recycle',
    headers,
    payload: { id: [id] },
  });
  // Error pages are not cached.
  await expect.poll(async () => (await get(path)).statusCode, { interval: 1 }).toBe(200);
});

test('a private document appears on no cached page, also after its owner or an administrator opened the page', async () => {
  const { id, title, path } = await publish('只给自己看的日记');
  await changeDocument(ctx, id, { visibility: 2 });
  for (const headers of [owner.headers, {}, await as.root(), {}]) {
    const response = await get(path, headers);
    expect(response.statusCode).toBe(404);
    expect(response.body).not.toContain(title);
  }
  expect((await get(`/user/${owner.id}/document`, owner.headers)).body).not.toContain(title);
  expect((await get(`/user/${owner.id}/document`)).body).not.toContain(title);
});

test('requests with a session or an access cookie bypass the HTML cache', async () => {
  const { id, title, path } = await publish();
  await titleOf(path);
  await changeWithoutNotification(id, '改了');
  for (const headers of [owner.headers, { cookie: 'a=1; douku_pass=x' }])
    expect(await titleOf(path, headers)).toBe('改了');
  expect(await titleOf(path)).toBe(title);
});

test('a user who just changed something bypasses the HTML cache; saving a reading position does not count', async () => {
  const { id, title, path } = await publish();
  await titleOf(path);
  await changeWithoutNotification(id, '改了');
  const profileUpdate = await app.inject({
    method: 'PUT',
    url: '/api/v1/user/profile',
    headers: owner.headers,
    payload: { email: `${crypto.randomUUID()}@example.com`, signature: '' },
  });
  const writerCookie = (cookies: string | string[] = []) =>
    [cookies].flat().find((each) => each.startsWith('douku_writer='));
  const [cookie = ''] = writerCookie(profileUpdate.headers['set-cookie'])?.split(';') ?? [];
  expect(cookie).toBe('douku_writer=1');
  expect(await titleOf(path, { cookie })).toBe('改了');
  const positionUpdate = await app.inject({
    method: 'PUT',
    url: '/api/v1/document/position',
    headers: owner.headers,
    payload: { id, page: 1 },
  });
  expect([positionUpdate.statusCode, writerCookie(positionUpdate.headers['set-cookie'])]).toEqual([200, undefined]);
  expect(title).not.toBe('改了');
});

test('a site that is closed or requires a login serves no cached pages', async () => {
  expect((await get('/')).statusCode).toBe(200);
  await setSetting(ctx, 'security.is_close', 'true');
  expect((await get('/')).statusCode).toBe(503);
  await setSetting(ctx, 'security.is_close', 'false');
  expect((await get('/')).statusCode).toBe(200);
  await setSetting(ctx, 'security.login_required', 'true');
  expect((await get('/')).statusCode).toBe(302);
  await setSetting(ctx, 'security.login_required', 'false');
});

test('a changed setting is shown on cached pages without delay', async () => {
  await get('/');
  await setSetting(ctx, 'system.sitename', '青豆文库');
  expect((await get('/')).body).toContain('青豆文库');
  await setSetting(ctx, 'system.sitename', '豆库');
});

test('a request with the current etag is answered with 304 and the policy of the stored page', async () => {
  const { id, path } = await publish();
  const { etag = '', 'cache-control': rule, 'content-security-policy': policy } = (await get(path)).headers;
  expect(rule).toBe('no-cache');
  const secondResponse = await get(path, { 'if-none-match': `"other", ${etag}` });
  expect([secondResponse.statusCode, secondResponse.body]).toEqual([304, '']);
  expect(secondResponse.headers.etag).toBe(etag);
  expect(secondResponse.headers['content-security-policy']).toBe(policy);
  await rename(id, '另一个题目');
  await expect.poll(async () => (await get(path, { 'if-none-match': String(etag) })).statusCode).toBe(200);
});

test('a HEAD request for a page returns the headers of GET without a body', async () => {
  const { path } = await publish();
  const wholeResponse = await get(path);
  const head = await app.inject({ method: 'HEAD', url: path });
  expect([head.statusCode, head.body]).toEqual([200, '']);
  for (const name of ['content-length', 'content-type', 'vary'])
    expect(head.headers[name]).toBe(wholeResponse.headers[name]);
  expect((await app.inject({ method: 'HEAD', url: '/document/999999' })).statusCode).toBe(404);
});

test('views are counted exactly although pages are cached', async () => {
  const { id, path } = await publish();
  await Promise.all(Array.from({ length: 30 }, () => get(path)));
  const count = async () => {
    const { rows } = await ctx.db.execute<{ view_count: number }>(
      sql`select view_count from documents where id = ${id}`,
    );
    return rows[0]?.view_count;
  };
  expect(await count()).toBe(0);
  for (const program of ['a', 'b', 'a'])
    await app.inject({
      method: 'POST',
      url: '/api/v1/document/view',
      headers: { 'user-agent': program },
      payload: { id },
    });
  expect(await count()).toBe(2);
});

test('every visitor of a cached search page is recorded as a search', async () => {
  const { id, title } = await publish();
  await indexQueuedDocuments(ctx);
  await waitForInvalidations(ctx);
  const word = title.split(' ').at(-1) ?? '';
  expect((await get(`/search?wd=${word}`)).body).toContain(`/document/${id}`);
  await changeWithoutNotification(id, '没有人听说');
  expect((await get(`/search?wd=${word}`)).body).toContain(title);
  const { rows } = await pool.query('select total from search_records where keywords = $1', [word]);
  expect(rows).toEqual([{ total: 1 }, { total: 1 }]);
});

test('the embedded reader and the full page are cached separately', async () => {
  const { path } = await publish();
  const policy = async (query: string) => String((await get(path + query)).headers['content-security-policy']);
  await get(path);
  expect(await policy('?embed=1')).toContain('frame-ancestors *');
  expect(await policy('')).toContain("frame-ancestors 'none'");
  expect((await get(`${path}?embed=1`)).body).not.toContain('跳到正文');
  expect((await get(path)).body).toContain('跳到正文');
});
