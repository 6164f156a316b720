import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';

const { app, pool, ctx, folder } = await testApp();

test('every answer carries the security headers, refusals included', async () => {
  for (const url of ['/healthz', '/api/v1/settings', '/api/v1/nothing', '/api/docs', '/uploads/x']) {
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

test('however often it is asked whether it is ready, the storage is tried only now and then', async () => {
  await app.inject('/readyz');
  const changedAt = async () => (await stat(join(folder, 'storage/incoming'))).mtimeMs;
  const before = await changedAt();
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject('/readyz')));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await changedAt()).toBe(before);
});

test('metrics are told to this machine, and to nobody through a proxy', async () => {
  const ask = async (headers = {}, remoteAddress = '127.0.0.1') =>
    app.inject({ url: '/metrics', remoteAddress, headers });
  expect((await ask()).body).toMatch(/http_request_duration_seconds_bucket/);
  expect((await ask({}, '::1')).statusCode).toBe(200);
  for (const far of ['203.0.113.9', '10.0.0.5', '192.168.1.9', 'fd00::1'])
    expect((await ask({}, far)).statusCode).toBe(404);
  // A proxy on this machine is told by what it adds, or by the name it was asked for.
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-proto': 'https' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { host: 'douku.example' },
  ])
    expect((await ask(headers)).statusCode).toBe(404);
});

test('with a token metrics are told to whoever sends it, from anywhere, and to nobody else', async () => {
  const token = 'a-token-for-prometheus';
  const site = await testApp({ env: { METRICS_TOKEN: token, TRUSTED_PROXIES: '127.0.0.1' } });
  const ask = async (authorization?: string) =>
    (
      await site.app.inject({
        url: '/metrics',
        headers: { ...(authorization && { authorization }) },
      })
    ).statusCode;
  expect(await ask(`Bearer ${token}`)).toBe(200);
  expect([await ask(), await ask('Bearer another-token-of-some-length')]).toEqual([404, 404]);
  const proxied = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  expect((await proxied.app.inject('/metrics')).statusCode).toBe(404);
});

test('over HTTPS browsers are told to stay with it, for this host alone', async () => {
  const site = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const asked = (protocol: string) => site.app.inject({ url: '/healthz', headers: { 'x-forwarded-proto': protocol } });
  expect((await asked('https')).headers['strict-transport-security']).toBe('max-age=31536000');
  expect((await asked('http')).headers['strict-transport-security']).toBeUndefined();
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
  const open = (allowed: boolean) => server.query(`alter database ${name} with allow_connections ${allowed}`);
  await open(false);
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  for (const url of ['/api/v1/category/list', '/readyz']) {
    const answer = await app.inject(url);
    expect([url, answer.statusCode]).toEqual([url, 503]);
    expect(answer.headers['retry-after']).toBeDefined();
  }
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  await open(true);
  await server.end();
  await expect.poll(async () => (await app.inject('/api/v1/category/list')).statusCode).toBe(200);
  // Values are kept again once changes can be heard again.
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
