import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';

const { app, pool, ctx, folder } = await testApp();

test('every response has the security headers, also errors', async () => {
  for (const url of ['/healthz', '/api/v1/settings', '/api/v1/nothing', '/api/docs', '/uploads/x']) {
    const { headers } = await app.inject(url);
    expect(headers['content-security-policy'], url).toMatch(/default-src/);
    expect(headers['x-content-type-options'], url).toBe('nosniff');
    expect(headers['x-frame-options'], url).toBe('DENY');
    expect(headers['x-request-id'], url).toMatch(/^[0-9a-f]{16}$/);
  }
});

test('the content security policy allows scripts only by nonce, with a new nonce for each response', async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => (await app.inject('/healthz')).headers['content-security-policy']),
  );
  expect(policies[0]).toMatch(/script-src 'self' 'nonce-[\w+/=]{20,}'/);
  expect(policies[0]).not.toMatch(/script-src[^;]*unsafe/);
  expect(policies[0]).not.toBe(policies[1]);
});

test('/readyz answers 200 when database and storage are available', async () => {
  const response = await app.inject('/readyz');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ status: 'ok', database: 'ok', storage: 'ok' });
});

test('/readyz does not check the storage for every request', async () => {
  await app.inject('/readyz');
  const changedAt = async () => (await stat(join(folder, 'storage/incoming'))).mtimeMs;
  const before = await changedAt();
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject('/readyz')));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await changedAt()).toBe(before);
});

test('/metrics without a token is served to local requests only, and not through a proxy', async () => {
  const getMetrics = async (headers = {}, remoteAddress = '127.0.0.1') =>
    app.inject({ url: '/metrics', remoteAddress, headers });
  expect((await getMetrics()).body).toMatch(/http_request_duration_seconds_bucket/);
  expect((await getMetrics({}, '::1')).statusCode).toBe(200);
  for (const remoteAddress of ['203.0.113.9', '10.0.0.5', '192.168.1.9', 'fd00::1'])
    expect((await getMetrics({}, remoteAddress)).statusCode).toBe(404);
  // A local proxy is recognized by its headers or by the host name of the request.
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-proto': 'https' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { host: 'douku.example' },
  ])
    expect((await getMetrics(headers)).statusCode).toBe(404);
});

test('/metrics with METRICS_TOKEN is served only to requests with the token, from any address', async () => {
  const token = 'a-token-for-prometheus';
  const site = await testApp({ env: { METRICS_TOKEN: token, TRUSTED_PROXIES: '127.0.0.1' } });
  const getMetrics = async (authorization?: string) =>
    (
      await site.app.inject({
        url: '/metrics',
        headers: { ...(authorization && { authorization }) },
      })
    ).statusCode;
  expect(await getMetrics(`Bearer ${token}`)).toBe(200);
  expect([await getMetrics(), await getMetrics('Bearer another-token-of-some-length')]).toEqual([404, 404]);
  const siteBehindProxy = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  expect((await siteBehindProxy.app.inject('/metrics')).statusCode).toBe(404);
});

test('responses over HTTPS have Strict-Transport-Security without includeSubDomains', async () => {
  const site = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const get = (protocol: string) => site.app.inject({ url: '/healthz', headers: { 'x-forwarded-proto': protocol } });
  expect((await get('https')).headers['strict-transport-security']).toBe('max-age=31536000');
  expect((await get('http')).headers['strict-transport-security']).toBeUndefined();
});

test('the OpenAPI document describes the whole API and can be browsed', async () => {
  const document = (await app.inject('/api/docs/json')).json();
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toContain('/api/v1/category/list');
  expect((await app.inject('/api/docs/')).body).toMatch(/swagger/i);
});

test('requests are answered with 503 and Retry-After while the database is unavailable, and succeed afterwards', async () => {
  const { pathname } = new URL(pool.options.connectionString ?? '');
  const name = pathname.slice(1);
  const server = new pg.Client(inject('databaseUrl'));
  await server.connect();
  const allowConnections = (isAllowed: boolean) =>
    server.query(`alter database ${name} with allow_connections ${isAllowed}`);
  await allowConnections(false);
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  for (const url of ['/api/v1/category/list', '/readyz']) {
    const response = await app.inject(url);
    expect([url, response.statusCode]).toEqual([url, 503]);
    expect(response.headers['retry-after']).toBeDefined();
  }
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  await allowConnections(true);
  await server.end();
  await expect.poll(async () => (await app.inject('/api/v1/category/list')).statusCode).toBe(200);
  // The live cache works again when it receives notifications again.
  const loadsOfTwoReads = async () => {
    let loads = 0;
    const read = () => ctx.liveCache.get('probe', async () => ++loads);
    ctx.liveCache.invalidateLocally('probe');
    await read();
    await read();
    return loads;
  };
  await expect.poll(loadsOfTwoReads).toBe(1);
});

test('a connection that breaks within a transaction fails only that request', async () => {
  const work = ctx.db.transaction(async (db) => {
    const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await pool.query('select pg_terminate_backend($1, 60000)', [rows[0]?.pid]);
    await db.execute(sql`select 1`);
  });
  await expect(work).rejects.toThrow();
  expect((await app.inject('/api/v1/category/list')).statusCode).toBe(200);
});

test('a visitor who calls an endpoint for users gets 401', async () => {
  const response = await app.inject({ method: 'POST', url: '/api/v1/category', payload: {} });
  expect([response.statusCode, response.json().message]).toEqual([
    401,
    '您未登录或您的登录已过期，请重新登录或刷新页面重试',
  ]);
});
