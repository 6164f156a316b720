import { afterAll, beforeEach, expect, test } from 'vitest';
import { buildContext } from '#app/server/build-context.ts';
import { buildServer } from '#app/server/build-server.ts';
import { balanceOf, createUserWithCredit, loginHeaders, range } from '#modules/credit/credit.fixture.ts';
import { findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { createLog } from '#platform/server/log.ts';
import { testApp } from '#testing/test-app.ts';

const { app, as, clock, ctx, pool, url } = await testApp();

/** A second web process over the same database: its own pool, its own caches. */
const log = createLog('error');
const second = await buildContext(ctx.config, url, log, () => clock.now);
const secondApp = await buildServer(second.ctx, second.pool, { log, pages: null });
afterAll(async () => {
  await secondApp.close();
  await second.close();
});

beforeEach(() => {
  clock.now = new Date('2026-03-01T08:00:00Z');
});

type Headers = { authorization?: string };
const sign = (headers: Headers, server = app) => server.inject({ method: 'PUT', url: '/api/v1/user/sign', headers });
const today = async (headers: Headers) => (await app.inject({ url: '/api/v1/user/sign', headers })).json();
const configure = async (category: string, name: string, value: string) => {
  const payload = { config: [{ category, name, value }] };
  const headers = await as.root();
  expect((await app.inject({ method: 'PUT', url: '/api/v1/config', headers, payload })).statusCode).toBe(200);
};
const eventsOf = async (id: number) =>
  (
    await pool.query(
      `select e.key, l.amount::int, l.balance::int from ledger_events e
       join ledger_entries l on l.event_id = e.id where l.account = $1 order by e.id`,
      [`user:${id}`],
    )
  ).rows;
const dynamicOf = async (headers: Headers) => (await app.inject({ url: '/api/v1/user/dynamic', headers })).json();

test('a thousand simultaneous sign-ins over two web processes give one award', async () => {
  const id = await createUserWithCredit(ctx);
  const headers = await loginHeaders(ctx, id);
  const answers = await Promise.all(range(1000).map((index) => sign(headers, index % 2 === 0 ? app : secondApp)));
  const done = answers.filter(({ statusCode }) => statusCode === 200);
  expect(done.map((answer) => answer.json().award)).toEqual([1]);
  const refused = answers.filter(({ statusCode }) => statusCode === 409);
  expect(refused).toHaveLength(999);
  expect(new Set(refused.map((answer) => answer.json().message))).toEqual(new Set(['您今天已经签到过了']));
  expect(await eventsOf(id)).toEqual([{ key: `sign_in:${id}:20260301`, amount: 1, balance: 1 }]);
  expect(await balanceOf(ctx, id)).toBe(1);
  expect((await dynamicOf(headers)).dynamic).toMatchObject([
    { type: 11, content: '完成了每日签到，获得 1 个豆奖励', user_id: id },
  ]);
});

test('the day begins at midnight of the site’s time zone', async () => {
  const id = await createUserWithCredit(ctx);
  const headers = await loginHeaders(ctx, id);
  clock.now = new Date('2026-03-01T15:59:59Z');
  expect((await sign(headers)).json()).toMatchObject({ sign_at: 20260301, award: 1 });
  expect((await sign(headers)).statusCode).toBe(409);
  clock.now = new Date('2026-03-01T16:00:00Z');
  expect(await today(headers)).toMatchObject({ id: 0, sign_at: 20260302 });
  const answers = await Promise.all(range(20).map(() => sign(headers)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(await balanceOf(ctx, id)).toBe(2);
});

test('another time zone has another midnight, at once and on every node', async () => {
  const headers = await loginHeaders(ctx, await createUserWithCredit(ctx));
  await configure('system', 'timezone', 'America/New_York');
  clock.now = new Date('2026-03-02T04:59:59Z');
  expect((await sign(headers)).json()).toMatchObject({ sign_at: 20260301 });
  clock.now = new Date('2026-03-02T05:00:00Z');
  await expect.poll(async () => (await sign(headers, secondApp)).json()).toMatchObject({ sign_at: 20260302 });
  await configure('system', 'timezone', 'Asia/Shanghai');
});

test('before signing in the number is 0, afterwards it is that of the record', async () => {
  const id = await createUserWithCredit(ctx);
  const headers = await loginHeaders(ctx, id);
  expect(await today(headers)).toEqual({
    id: 0,
    user_id: id,
    ip: '',
    sign_at: 20260301,
    award: 0,
    created_at: null,
  });
  const answer = await sign(headers);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    id: expect.any(Number),
    user_id: id,
    ip: '127.0.0.1',
    sign_at: 20260301,
    award: 1,
    created_at: clock.now.toISOString(),
  });
  expect(answer.json().id).toBeGreaterThan(0);
  expect(await today(headers)).toEqual(answer.json());
});

test('the award is the setting; with none the sign-in still counts', async () => {
  await configure('score', 'sign_in', '7');
  const generous = await createUserWithCredit(ctx);
  const answer = await sign(await loginHeaders(ctx, generous));
  expect(answer.json().award).toBe(7);
  expect(await balanceOf(ctx, generous)).toBe(7);

  await configure('score', 'sign_in', '0');
  const id = await createUserWithCredit(ctx);
  const headers = await loginHeaders(ctx, id);
  expect((await sign(headers)).json()).toMatchObject({ award: 0 });
  expect((await sign(headers)).statusCode).toBe(409);
  expect(await eventsOf(id)).toEqual([]);
  expect((await dynamicOf(headers)).dynamic).toMatchObject([{ content: '完成了每日签到' }]);
  await configure('score', 'sign_in', '1');
});

test('visitors cannot sign in for the day, nor can anything be sent along', async () => {
  expect((await sign({})).statusCode).toBe(401);
  expect((await app.inject({ url: '/api/v1/user/sign' })).statusCode).toBe(401);
  const answer = await app.inject({
    method: 'PUT',
    url: '/api/v1/user/sign',
    headers: await as.user(),
    payload: { award: 1000 },
  });
  expect(answer.statusCode).toBe(400);
});

test('after all of this every rule of the books holds', async () => {
  expect(await findLedgerViolations(pool)).toEqual([]);
});
