import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { makePicture, uploadRequest } from '#modules/attachment/picture.fixture.ts';
import { addRendition, convertOnce } from '#modules/conversion/conversion.fixture.ts';
import { convertDocument } from '#modules/conversion/convert/convert-document.ts';
import { startConversionDispatcher } from '#modules/conversion/convert/dispatcher.ts';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { findRendition } from '#modules/conversion/rendition.ts';
import { addDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { fakeOpenSearch } from '#modules/search/fake-opensearch.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { createUploadRequest, uploadPartRequest, uploadStatusRequest } from '#modules/upload/resumable.fixture.ts';
import { loadConfig, projectRoot } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { createDb } from '#platform/server/db/db.ts';
import { probeDatabase } from '#platform/server/db/drizzle-pool.ts';
import { migrate } from '#platform/server/db/migrate.ts';
import { createHangDetector } from '#platform/server/hang-detector.ts';
import { createLog } from '#platform/server/log.ts';
import { startPostgres } from '#platform/server/postgres/postgres.ts';
import { serverProcesses } from '#platform/server/postgres/postmaster.ts';
import { startRunningTimer } from '#platform/server/running-timer.fixture.ts';
import { startHangingProxy } from '#testing/hanging-proxy.ts';
import { s3Url, startMemoryS3 } from '#testing/memory-s3.ts';
import { testApp } from '#testing/test-app.ts';
import { buildContext } from './build-context.ts';
import { buildServer } from './build-server.ts';
import { loadBuiltPages } from './built-pages.ts';
import { jobs } from './jobs.ts';
import { seedSite } from './seed-site.ts';

const LIMIT_MS = 5_000;
const env = { LOG_LEVEL: 'fatal' };

async function respondInTime(app: FastifyInstance, request: InjectOptions | string) {
  const elapsedMs = startRunningTimer();
  const response = await app.inject(request);
  expect(elapsedMs(), JSON.stringify(request)).toBeLessThan(LIMIT_MS);
  return response;
}

async function expectUnavailable(app: FastifyInstance, request: InjectOptions | string) {
  const response = await respondInTime(app, request);
  expect([request, response.statusCode]).toEqual([request, 503]);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  expect(response.body).toMatch(/\p{Script=Han}/u);
  return response;
}

const timeoutsOf = async (app: FastifyInstance, store: string) =>
  Number(
    new RegExp(`douku_store_timeouts_total{store="${store}"} (\\d+)`).exec((await app.inject('/metrics')).body)?.[1],
  );

const HANG_MS = 6_000;
type HangingStore = { hang: () => unknown; resume: () => unknown };

/**
 * Converts a document in a worker. The store hangs for 6 s when the worker reads the original, or when it stores its
 * first output.
 */
async function convertDuringHang(ctx: Context, store: HangingStore, hangingCall: 'get' | 'put') {
  const { id } = await addRendition(ctx, '挂起.txt', Buffer.from(randomBytes(8).toString('hex')));
  const { promise: resumption, resolve: onResumed } = Promise.withResolvers<unknown>();
  let hasHung = false;
  const hangOnce = async (call: 'get' | 'put') => {
    if (hasHung || call !== hangingCall) return;
    hasHung = true;
    await store.hang();
    setTimeout(() => onResumed(store.resume()), HANG_MS);
  };
  const storage: Context['storage'] = {
    ...ctx.storage,
    get: (...input) => hangOnce('get').then(() => ctx.storage.get(...input)),
    put: (...input) => hangOnce('put').then(() => ctx.storage.put(...input)),
  };
  const convert = vi.fn(convertDocument);
  const steps = { convert, doOthersWait: async () => false, prepareConverters: async () => {} };
  const worker = startConversionDispatcher({ ...ctx, storage }, steps);
  await expect.poll(() => hasHung).toBe(true);
  await resumption;
  await expect.poll(async () => (await findRendition(ctx, id))?.state).toBe('ready');
  await worker.stop();
  return { ...(await findRendition(ctx, id)), attempts: convert.mock.calls.length };
}
const CONVERTED_AT_FIRST_ATTEMPT = { state: 'ready', reason: '', attempts: 1 };

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process ended after it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function startSiteWithDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'douku-hung-'));
  const log = createLog('fatal');
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log });
  const config = loadConfig({ DATA_DIR: folder, ...env });
  const { ctx, pool, close } = await buildContext(config, postgres.url, log);
  await migrate(pool);
  await seedSite(ctx);
  await ctx.jobs.start(jobs, ctx, { runJobs: false });
  const app = await buildServer(ctx, pool, {
    log,
    pages: await loadBuiltPages(join(projectRoot, 'build')),
  });
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await serverProcesses(join(folder, 'postgres', 'cluster'))) sendSignal(pid, name);
  };
  return {
    app,
    ctx,
    pool,
    log,
    url: postgres.url,
    stop: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async end() {
      await signal('SIGCONT');
      await app.close();
      await close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe('the hang detection of PostgreSQL', () => {
  let site: Awaited<ReturnType<typeof startSiteWithDatabase>>;
  beforeAll(async () => {
    site = await startSiteWithDatabase();
  });
  afterEach(() => site.resume());
  afterAll(() => site.end());

  test('answers requests with 503 within 5 s while PostgreSQL is stopped, serves cached pages, and answers all requests after SIGCONT', async () => {
    const { app } = site;
    expect((await app.inject('/')).statusCode).toBe(200);
    expect((await app.inject('/api/v1/document/list')).statusCode).toBe(200);
    await site.stop();
    const requests = ['/api/v1/document/list?page=2', '/search?wd=a', '/document/1'];
    await Promise.all(requests.map((url) => expectUnavailable(app, url)));
    expect((await respondInTime(app, '/readyz')).statusCode).toBe(503);
    const headers = { authorization: 'Bearer x' };
    await expectUnavailable(app, { method: 'POST', url: '/api/v1/comment', headers, payload: {} });
    for (const url of ['/', '/api/v1/document/list']) expect((await respondInTime(app, url)).statusCode).toBe(200);
    expect((await respondInTime(app, '/healthz')).statusCode).toBe(200);
    expect(await timeoutsOf(app, 'postgres')).toBeGreaterThan(0);
    await site.resume();
    await expect.poll(async () => (await app.inject('/api/v1/document/list')).statusCode).toBe(200);
    const responses = await Promise.all(Array.from({ length: 40 }, () => app.inject('/api/v1/document/list')));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });

  test.each(['get', 'put'] as const)(
    'leaves out workers: a conversion during which PostgreSQL hangs at %s becomes ready at its first attempt',
    async (call) => {
      const store = { hang: site.stop, resume: site.resume };
      expect(await convertDuringHang(site.ctx, store, call)).toMatchObject(CONVERTED_AT_FIRST_ATTEMPT);
    },
  );

  test('rolls back an aborted transaction and removes its connection from the pool', async () => {
    const { pool, url, log } = site;
    const watch = createHangDetector({ store: 'postgres', probe: probeDatabase(url), log });
    const db = createDb(pool, watch.call);
    await db.execute(sql`create table given_up (id int)`);
    const work = db.transaction(async (tx) => {
      await tx.execute(sql`insert into given_up values (1)`);
      await site.stop();
      await tx.execute(sql`insert into given_up values (2)`);
    });
    await expect(work).rejects.toThrow();
    const unstartedTransactions = Array.from({ length: 30 }, () => db.transaction(async () => {}));
    await expect(Promise.any(unstartedTransactions)).rejects.toThrow();
    await site.resume();
    await expect.poll(() => db.execute(sql`select 1`).then(({ rowCount }) => rowCount)).toBe(1);
    const { rows } = await db.execute(sql`select count(*)::int as total from given_up`);
    expect(rows).toEqual([{ total: 0 }]);
    await Promise.all(Array.from({ length: 30 }, () => db.execute(sql`select 1`)));
    watch.stop();
  });

  test('does not abort a slow query of a working server', async () => {
    const { pool, url, log } = site;
    const watch = createHangDetector({ store: 'postgres', probe: probeDatabase(url), log });
    const db = createDb(pool, watch.call);
    const { rowCount } = await db.execute(sql`select pg_sleep(${LIMIT_MS / 1000 + 1})`);
    expect(rowCount).toBe(1);
    watch.stop();
  });
});

test('searches are answered with 503 within 5 s while OpenSearch hangs, other pages work, and searches succeed afterwards', async () => {
  const cluster: Server = fakeOpenSearch();
  await new Promise<void>((resolve) => cluster.listen(0, '127.0.0.1', resolve));
  afterAll(() => cluster.close());
  const proxy = await startHangingProxy((cluster.address() as AddressInfo).port);
  const searchEnv = { ...env, SEARCH_URL: `http://127.0.0.1:${proxy.port}` };
  const build = join(projectRoot, 'build');
  const { app, ctx } = await testApp({ env: searchEnv, build });
  await indexQueuedDocuments(ctx);
  const url = '/api/v1/document/search?wd=abc';
  expect((await app.inject(url)).statusCode).toBe(200);
  proxy.hang();
  const before = await timeoutsOf(app, 'opensearch');
  await Promise.all([url, '/search?wd=abcd'].map((each) => expectUnavailable(app, each)));
  for (const path of ['/', '/category', '/api/v1/document/list'])
    expect([path, (await respondInTime(app, path)).statusCode]).toEqual([path, 200]);
  expect(await timeoutsOf(app, 'opensearch')).toBeGreaterThan(before);
  proxy.resume();
  await expect.poll(async () => (await app.inject(url)).statusCode).toBe(200);
});

async function publishPageImage(app: FastifyInstance, ctx: Context): Promise<string> {
  const { id, rendition_id } = await addDocument(ctx, await newUploader(ctx), {
    category_id: await createCategoryChain(ctx),
    bytes: makePdf({ pages: 1 }),
    ext: '.pdf',
  });
  await convertOnce(ctx, rendition_id ?? 0);
  const { page } = (await app.inject(`/api/v1/document/pages?id=${id}`)).json();
  expect(page[0].url).toMatch(/^\/view\//);
  expect((await app.inject(page[0].url)).statusCode).toBe(200);
  return page[0].url;
}

test('files, page images and uploads are answered with 503 within 5 s while S3 hangs, and an upload resumes at its offset', async () => {
  const s3 = await startMemoryS3();
  const proxy = await startHangingProxy(s3.port);
  const { app, ctx, as } = await testApp({ env: { ...env, STORAGE_URL: s3Url(proxy.port) } });
  const root = await as.root();
  const pageImage = await publishPageImage(app, ctx);
  const avatar = uploadRequest('avatar', await makePicture(), 'picture.png', root);
  const picture = (await app.inject(avatar)).json().data.path;
  const text = Buffer.from('一行文字\n'.repeat(50));
  const response = await app.inject(createUploadRequest(text.length, 'a.txt', root));
  const url = String(response.headers.location);
  const part = (offset: number, end?: number) => uploadPartRequest(url, offset, text.subarray(offset, end), root);
  expect((await app.inject(part(0, 100))).statusCode).toBe(204);
  proxy.hang();
  const before = await timeoutsOf(app, 's3');
  const requests = [picture, pageImage, avatar, part(100)];
  await Promise.all(requests.map((each) => expectUnavailable(app, each)));
  expect((await respondInTime(app, '/api/v1/document/list')).statusCode).toBe(200);
  const head = await respondInTime(app, uploadStatusRequest(url, root));
  expect(head.headers['upload-offset']).toBe('100');
  expect(await timeoutsOf(app, 's3')).toBeGreaterThan(before);
  proxy.resume();
  for (const url of [picture, pageImage]) await expect.poll(async () => (await app.inject(url)).statusCode).toBe(200);
  const last = await app.inject(part(100));
  expect([last.statusCode, last.headers['upload-attachment-id']]).toEqual([204, expect.anything()]);
});

test.each(['get', 'put'] as const)(
  'a conversion during which S3 hangs at %s for 6 s becomes ready at its first attempt',
  async (call) => {
    const s3 = await startMemoryS3();
    const proxy = await startHangingProxy(s3.port);
    const { ctx } = await testApp({ env: { ...env, STORAGE_URL: s3Url(proxy.port) } });
    expect(await convertDuringHang(ctx, proxy, call)).toMatchObject(CONVERTED_AT_FIRST_ATTEMPT);
  },
);

test('files that S3 stops sending are aborted or answered with 503 within 5 s, and are served when S3 works again', async () => {
  const s3 = await startMemoryS3();
  const { app, ctx } = await testApp({ env: { ...env, STORAGE_URL: s3Url(s3.port) } });
  const pageImage = await publishPageImage(app, ctx);
  const words = `/api/v1/document/words?id=${pageImage.split('/')[2]}&page=1`;
  expect((await app.inject(words)).statusCode).toBe(200);
  const before = await timeoutsOf(app, 's3');
  s3.state.stopsMidBody = true;
  await expectUnavailable(app, words);
  // The status was sent with the first half, so the connection is closed.
  const elapsedMs = startRunningTimer();
  await expect(app.inject(pageImage)).rejects.toThrow();
  expect(elapsedMs()).toBeLessThan(LIMIT_MS);
  expect(await timeoutsOf(app, 's3')).toBeGreaterThanOrEqual(before + 2);
  s3.state.stopsMidBody = false;
  for (const url of [words, pageImage]) expect((await app.inject(url)).statusCode).toBe(200);
});
