import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { indexWaiting } from './index-documents.ts';
import { publishText } from './search.fixture.ts';

/** A port where nobody answers, until somebody does. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const port = await deadPort();
const { app, ctx, as, pool } = await testApp({
  env: { SEARCH_URL: `http://127.0.0.1:${port}` },
});
let failing: Server | null = null;
afterAll(() => failing?.close());

test('without its search cluster the site says so, goes on otherwise, and loses no change', async () => {
  const id = await publishText(ctx, { title: '照常阅读', pages: ['照常'] });
  const answer = await app.inject({ url: '/api/v1/document/search?wd=%E7%85%A7%E5%B8%B8' });
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'search.unavailable']);
  expect(answer.json().message).toContain('浏览和阅读不受影响');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect((await app.inject({ url: `/api/v1/document?id=${id}` })).statusCode).toBe(200);
  expect((await app.inject({ url: '/api/v1/search/hot' })).statusCode).toBe(200);
  await expect(indexWaiting(ctx)).rejects.toThrow('搜索服务暂时不可用');
  const { rows } = await pool.query('select document_id::int as id from search_wishes');
  expect(rows).toEqual([{ id }]);
  const state = await app.inject({ url: '/api/v1/search/index', headers: await as.root() });
  expect(state.json()).toMatchObject({ engine: 'opensearch', state: 'down', pending: 1 });
});

test('a cluster that fails is the same as none', async () => {
  failing = createServer((_, response) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => failing?.listen(port, '127.0.0.1', resolve));
  const answer = await app.inject({ url: '/api/v1/document/search?wd=abc' });
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'search.unavailable']);
});
