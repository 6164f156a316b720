import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';

const { app, pool, ctx } = await testApp();

test('every answer carries the security headers, refusals included', async () => {
  for (const url of [
    '/healthz',
    '/api/v1/settings',
    '/api/v1/nothing',
    '/api/docs',
    '/uploads/x',
  ]) {
    const { headers } = await app.inject(url);
    expect(headers['content-security-policy'], url).toMatch(/default-src/);
    expect(headers['x-content-type-options'], url).toBe('nosniff');
    expect(headers['x-frame-options'], url).toBe('DENY');
    expect(headers['x-request-id'], url).toMatch(/^[0-9a-f]{16}$/);
  }
});

test('the policy allows scripts by nonce only, and the nonce is new each time', async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => (await app.inject('/healthz')).headers['content-security-policy']),
  );
  expect(policies[0]).toMatch(/script-src 'self' 'nonce-[\w+/=]{20,}'/);
  expect(policies[0]).not.toMatch(/script-src[^;]*unsafe/);
  expect(policies[0]).not.toBe(policies[1]);
});

test('the site is ready when database and storage answer', async () => {
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ status: 'ok', database: 'ok', storage: 'ok' });
});

test('metrics are told to the own network and to nobody behind a proxy', async () => {
  const near = await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  expect(near.body).toMatch(/http_request_duration_seconds_bucket/);
  const far = await app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' });
  expect(far.statusCode).toBe(404);
  const proxied = await app.inject({
    url: '/metrics',
    remoteAddress: '127.0.0.1',
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });
  expect(proxied.statusCode).toBe(404);
});

test('the OpenAPI document describes the whole API and can be browsed', async () => {
  const document = (await app.inject('/api/docs/json')).json();
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toContain('/api/v1/category/list');
  expect((await app.inject('/api/docs/')).body).toMatch(/swagger/i);
});

test('a lost database gives 503 with Retry-After, and service returns by itself', async () => {
  const { pathname } = new URL(pool.options.connectionString ?? '');
  const name = pathname.slice(1);
  const server = new pg.Client(inject('databaseUrl'));
  await server.connect();
  const open = (allowed: boolean) =>
    server.query(`alter database ${name} with allow_connections ${allowed}`);
  await open(false);
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
  for (const url of ['/api/v1/category/list', '/readyz']) {
    const answer = await app.inject(url);
    expect([url, answer.statusCode]).toEqual([url, 503]);
    expect(answer.headers['retry-after']).toBeDefined();
  }
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  await open(true);
  await server.end();
  await expect
    .poll(async () => (await app.inject('/api/v1/category/list')).statusCode, { timeout: 5000 })
    .toBe(200);
  // Values are kept again once changes can be heard again.
  const loadsOfTwoReads = async () => {
    let loads = 0;
    const read = () => ctx.live.get('probe', async () => ++loads);
    ctx.live.forget('probe');
    await read();
    await read();
    return loads;
  };
  await expect.poll(loadsOfTwoReads, { timeout: 5000 }).toBe(1);
});

test('a connection that breaks within a transaction fails that request and nothing else', async () => {
  const work = ctx.db.transaction(async (db) => {
    const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await sleep(100);
    await db.execute(sql`select 1`);
  });
  await expect(work).rejects.toThrow();
  expect((await app.inject('/api/v1/category/list')).statusCode).toBe(200);
});

test('a visitor is asked to log in', async () => {
  const answer = await app.inject({ method: 'POST', url: '/api/v1/category', payload: {} });
  expect([answer.statusCode, answer.json().message]).toEqual([
    401,
    '您未登录或您的登录已过期，请重新登录或刷新页面重试',
  ]);
});
