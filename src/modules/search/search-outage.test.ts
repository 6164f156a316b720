import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { schedules } from '#app/server/jobs.ts';
import { testApp } from '#testing/test-app.ts';
import { fakeOpenSearch } from './fake-opensearch.fixture.ts';
import { indexDocuments, indexQueuedDocuments } from './index/index-documents.ts';
import { publishText } from './search.fixture.ts';

/** A free port on which nothing listens. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const port = await unusedPort();
const { app, ctx, as, pool } = await testApp({
  env: { SEARCH_URL: `http://127.0.0.1:${port}` },
});
let cluster: Server | null = null;
const closeCluster = () => new Promise<void>((resolve) => cluster?.close(() => resolve()) ?? resolve());
afterAll(closeCluster);
async function startCluster(next: Server) {
  if (cluster) await closeCluster();
  cluster = next;
  await new Promise<void>((resolve) => next.listen(port, '127.0.0.1', resolve));
}
const runMinuteJobs = async () => {
  const due = schedules.filter(({ job, cron }) => job === indexDocuments && cron === '* * * * *');
  for (const { job } of due) await job.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
};
const search = (wd: string) => app.inject({ url: '/api/v1/document/search', query: { wd } });

test('an unreachable search cluster makes searches fail with 503, leaves other pages working, and keeps changes queued', async () => {
  const id = await publishText(ctx, { title: '照常阅读', pages: ['照常'] });
  const answer = await search('照常');
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'search.unavailable']);
  expect(answer.json().message).toContain('浏览和阅读不受影响');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect((await app.inject({ url: `/api/v1/document?id=${id}` })).statusCode).toBe(200);
  expect((await app.inject({ url: '/api/v1/search/hot' })).statusCode).toBe(200);
  await expect(indexQueuedDocuments(ctx)).rejects.toThrow('搜索服务暂时不可用');
  const { rows } = await pool.query('select document_id::int as id from search_index_queue');
  expect(rows).toEqual([{ id }]);
  const state = await app.inject({ url: '/api/v1/search/index', headers: await as.root() });
  expect(state.json()).toMatchObject({ engine: 'opensearch', state: 'down', pending: 1 });
});

test('a search cluster that returns 500 makes searches fail with 503', async () => {
  await startCluster(
    createServer((_, response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    }),
  );
  const answer = await search('abc');
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'search.unavailable']);
  await publishText(ctx, { title: '断线时上传', pages: ['这一页讲的是灯塔'] });
  await expect(runMinuteJobs()).rejects.toThrow('搜索服务暂时不可用');
});

test('documents added during a cluster outage are indexed by the scheduled job once the cluster is back', async () => {
  await startCluster(fakeOpenSearch());
  await runMinuteJobs();
  const titles = async (wd: string) => (await search(wd)).json().document.map(({ title }: { title: string }) => title);
  expect(await titles('灯塔')).toEqual(['断线时上传']);
  expect(await titles('照常')).toEqual(['照常阅读']);
  expect(await titles('风车')).toEqual([]);
  const state = await app.inject({ url: '/api/v1/search/index', headers: await as.root() });
  expect(state.json()).toMatchObject({ state: 'ok', pending: 0, documents: 2 });
});
