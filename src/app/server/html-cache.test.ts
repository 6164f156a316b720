import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { projectRoot } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';
import { testApp } from '#testing/test-app.ts';
import { buildContext } from './build-context.ts';
import { buildServer } from './build-server.ts';
import { builtPages } from './built-pages.ts';
import { keyOf, MAX_AGE_MS } from './html-cache.ts';

const build = join(projectRoot, 'build');
const { app, as, ctx, clock, url } = await testApp({ build, runJobs: true });
const owner = await newPublisher(ctx);
/** Converted once; the other documents share it. */
const file = makePdf({ pages: 1 });

type Headers = Record<string, string | undefined>;
const get = (path: string, headers: Headers = {}) => app.inject({ url: path, headers });
const titleOf = async (path: string, headers: Headers = {}) =>
  /<title>([^<]*) - 豆库<\/title>/.exec((await get(path, headers)).body)?.[1];
const nonceIn = (text: unknown) => /nonce[=-]"?([\w+/=]{24})/.exec(String(text))?.[1];

/** Waits until everything announced so far has been heard: announcements come in their order. */
async function heard() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = ctx.liveCache.onInvalidation('heard', resolve);
  await notifyInvalidation(ctx.db, 'heard');
  await promise;
  stop();
}
async function publish(title = `书 ${crypto.randomUUID().slice(0, 8)}`) {
  const id = await owner.publish(file, '.pdf', { title });
  await heard();
  return { id, title, path: `/document/${id}` };
}
/** Changes a title so that nobody hears of it, as a lost announcement would. */
const changeSilently = (id: number, title: string) =>
  ctx.db.transaction(async (db) => {
    await db.execute(sql`set local session_replication_role = replica`);
    await db.execute(sql`update documents set title = ${title} where id = ${id}`);
  });
const rename = (id: number, title: string, headers: Headers = owner.headers) =>
  app.inject({
    method: 'PUT',
    url: '/api/v1/document',
    headers,
    payload: { id, title },
  });

vi.useFakeTimers({ toFake: ['performance'] });
const later = (ms: number) => vi.advanceTimersByTime(ms);
// What earlier tests have left is too old.
beforeEach(() => later(MAX_AGE_MS));

test('a page is drawn once and sent to many, each time with a nonce of its own', async () => {
  const { id, title, path } = await publish();
  expect(await titleOf(path)).toBe(title);
  await changeSilently(id, '没有人听说');
  const nonces = new Set<string>();
  for (const headers of [{}, {}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'gzip, br' }]) {
    const answer = await get(path, headers);
    const isPacked = answer.headers['content-encoding'] === 'gzip';
    expect(isPacked).toBe('accept-encoding' in headers);
    const html = isPacked ? gunzipSync(answer.rawPayload).toString() : answer.body;
    expect(html).toContain(`<title>${title} - 豆库</title>`);
    const nonce = nonceIn(answer.headers['content-security-policy']) ?? '';
    expect(new Set([...html.matchAll(/ nonce="([^"]+)"/g)].map(([, each]) => each))).toEqual(new Set([nonce]));
    expect(html).not.toMatch(/<script(?! type="application\/ld\+json")(?![^>]* nonce="[\w+/=]{24}")/);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
});

test('a page is never stale by more than half a minute, even if nobody heard of the change', async () => {
  const { id, title, path } = await publish();
  await titleOf(path);
  await changeSilently(id, '悄悄改了');
  later(MAX_AGE_MS - 1);
  expect(await titleOf(path)).toBe(title);
  later(1);
  expect(await titleOf(path)).toBe('悄悄改了');
});

test('a changed document is shown as it is at once, on every node, and others stay as they were drawn', async () => {
  const log = createLog('error');
  const other = await buildContext(ctx.config, url, log, () => clock.now);
  const there = await buildServer(other.ctx, other.pool, { log, pages: await builtPages(build) });
  afterAll(async () => {
    await there.close();
    await other.close();
  });
  const [changed, same] = [await publish(), await publish()];
  const seen = async (path: string) => [(await get(path)).body, (await there.inject(path)).body];
  for (const path of ['/', changed.path, same.path])
    for (const html of await seen(path)) expect(html).toContain(changed.title.slice(0, 2));
  await changeSilently(same.id, '没有人听说');
  expect((await rename(changed.id, '新的题目')).statusCode).toBe(200);
  for (const path of ['/', changed.path])
    await expect.poll(async () => (await seen(path)).every((html) => html.includes('新的题目'))).toBe(true);
  for (const html of await seen(same.path)) expect(html).toContain(same.title);
});

test('a document that is withdrawn is gone at once, and one that appears is there at once', async () => {
  const { id, path } = await publish();
  expect((await get(path)).statusCode).toBe(200);
  const headers = await as.root();
  const answer = await app.inject({
    method: 'DELETE',
    url: `/api/v1/document?id=${id}`,
    headers,
  });
  expect(answer.statusCode).toBe(200);
  await expect.poll(async () => (await get(path)).statusCode).toBe(404);
  await app.inject({
    method: 'PUT',
    url: '/api/v1/document/recycle',
    headers,
    payload: { id: [id] },
  });
  // A refusal is never kept.
  await expect.poll(async () => (await get(path)).statusCode, { interval: 1 }).toBe(200);
});

test('what only its owner may see reaches no kept page, whoever asked before', async () => {
  const { id, title, path } = await publish('只给自己看的日记');
  await ctx.db.execute(sql`update documents set visibility = 2 where id = ${id}`);
  for (const headers of [owner.headers, {}, await as.root(), {}]) {
    const answer = await get(path, headers);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain(title);
  }
  expect((await get(`/user/${owner.id}/document`, owner.headers)).body).not.toContain(title);
  expect((await get(`/user/${owner.id}/document`)).body).not.toContain(title);
});

test('those who are known to be somebody get a page of their own, and none is kept of it', async () => {
  const { id, title, path } = await publish();
  await titleOf(path);
  await changeSilently(id, '改了');
  for (const headers of [owner.headers, { cookie: 'a=1; douku_pass=x' }])
    expect(await titleOf(path, headers)).toBe('改了');
  expect(await titleOf(path)).toBe(title);
});

test('whoever has just written something sees pages drawn anew; reading on is no writing', async () => {
  const { id, title, path } = await publish();
  await titleOf(path);
  await changeSilently(id, '改了');
  const written = await app.inject({
    method: 'PUT',
    url: '/api/v1/user/profile',
    headers: owner.headers,
    payload: { email: `${crypto.randomUUID()}@example.com`, signature: '' },
  });
  const writerCookie = (cookies: string | string[] = []) =>
    [cookies].flat().find((each) => each.startsWith('douku_writer='));
  const [cookie = ''] = writerCookie(written.headers['set-cookie'])?.split(';') ?? [];
  expect(cookie).toBe('douku_writer=1');
  expect(await titleOf(path, { cookie })).toBe('改了');
  const read = await app.inject({
    method: 'PUT',
    url: '/api/v1/document/position',
    headers: owner.headers,
    payload: { id, page: 1 },
  });
  expect([read.statusCode, writerCookie(read.headers['set-cookie'])]).toEqual([200, undefined]);
  expect(title).not.toBe('改了');
});

test('a site that closes or asks for a login gives out none of the pages it kept', async () => {
  expect((await get('/')).statusCode).toBe(200);
  await setSetting(ctx, 'security.is_close', 'true');
  expect((await get('/')).statusCode).toBe(503);
  await setSetting(ctx, 'security.is_close', 'false');
  expect((await get('/')).statusCode).toBe(200);
  await setSetting(ctx, 'security.login_required', 'true');
  expect((await get('/')).statusCode).toBe(302);
  await setSetting(ctx, 'security.login_required', 'false');
});

test('a setting that is changed is on every page at once', async () => {
  await get('/');
  await setSetting(ctx, 'system.sitename', '青豆文库');
  expect((await get('/')).body).toContain('青豆文库');
  await setSetting(ctx, 'system.sitename', '豆库');
});

test('whoever has the page already is told so, with the policy it came with', async () => {
  const { id, path } = await publish();
  const { etag = '', 'cache-control': rule } = (await get(path)).headers;
  expect(rule).toBe('no-cache');
  const again = await get(path, { 'if-none-match': `"other", ${etag}` });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect(again.headers.etag).toBe(etag);
  expect(again.headers['content-security-policy']).toBeUndefined();
  await rename(id, '另一个题目');
  await expect.poll(async () => (await get(path, { 'if-none-match': String(etag) })).statusCode).toBe(200);
});

test('asked for the head alone, a page answers as it would, without a body', async () => {
  const { path } = await publish();
  const whole = await get(path);
  const head = await app.inject({ method: 'HEAD', url: path });
  expect([head.statusCode, head.body]).toEqual([200, '']);
  for (const name of ['content-length', 'content-type', 'vary']) expect(head.headers[name]).toBe(whole.headers[name]);
  expect((await app.inject({ method: 'HEAD', url: '/document/999999' })).statusCode).toBe(404);
});

test('views are counted exactly, though the pages are kept', async () => {
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

test('an embedded reader and one that is not are kept apart', async () => {
  const { path } = await publish();
  const policy = async (query: string) => String((await get(path + query)).headers['content-security-policy']);
  await get(path);
  expect(await policy('?embed=1')).toContain('frame-ancestors *');
  expect(await policy('')).toContain("frame-ancestors 'none'");
  expect((await get(`${path}?embed=1`)).body).not.toContain('跳到正文');
  expect((await get(path)).body).toContain('跳到正文');
});

test.each([
  ['/', '/'],
  ['/?utm_source=x&from=singlemessage', '/'],
  ['/?x=1', null],
  ['/category/3?page=2&sort=view', '/category/3?page=2&sort=view'],
  ['/document/12?page=3&from=mail', '/document/12?page=3'],
  ['/document/12/', null],
  ['/search?wd=a', null],
  ['/login', null],
  ['/article?page=2', '/article?page=2'],
  ['/article/about', null],
  ['/admin', null],
  ['/user', null],
  ['/user/3/document?page=2', '/user/3/document?page=2'],
  [`/document/12?wd=${'a'.repeat(300)}`, null],
])('%s is kept as %s', (address, key) => {
  expect(keyOf(address)).toBe(key);
});
