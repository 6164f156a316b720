import { beforeEach, expect, test } from 'vitest';
import { balanceOf, createUserWithCredit, numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { loginHeaders } from '#modules/role/role.fixture.ts';
import { startSecondNode } from '#testing/second-node.ts';
import { testApp } from '#testing/test-app.ts';
import { amountForTier } from '#testing/test-tier.ts';

const firstNode = await testApp();
const { app, as, clock, ctx, pool } = firstNode;
const { app: secondApp } = await startSecondNode(firstNode);

beforeEach(() => {
  clock.now = new Date('2026-03-01T08:00:00Z');
});

type Headers = { authorization?: string };
const checkIn = (headers: Headers, server = app) => server.inject({ method: 'PUT', url: '/api/v1/user/sign', headers });
const today = async (headers: Headers) => (await app.inject({ url: '/api/v1/user/sign', headers })).json();
const changeSetting = async (category: string, name: string, value: string) => {
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
const listActivities = async (headers: Headers) => (await app.inject({ url: '/api/v1/user/dynamic', headers })).json();

/** Not many more than the two pools have connections, so that no request waits long for one. */
const CONCURRENT_REQUESTS = 40;

const CHECK_IN_COUNT = amountForTier({ quick: 120, full: 1_000 });
test('many check-ins, forty at a time over two web processes, give one award', async () => {
  const id = await createUserWithCredit(ctx);
  const headers = await loginHeaders(ctx, id);
  const checkInRepeatedly = async (server: typeof app) => {
    const responses = [];
    for (let count = 0; count < CHECK_IN_COUNT / CONCURRENT_REQUESTS; count++)
      responses.push(await checkIn(headers, server));
    return responses;
  };
  const servers = numbersUpTo(CONCURRENT_REQUESTS).map((index) => (index % 2 === 0 ? app : secondApp));
  const answers = (await Promise.all(servers.map(checkInRepeatedly))).flat();
  const successes = answers.filter(({ statusCode }) => statusCode === 200);
  expect(successes.map((answer) => answer.json().award)).toEqual([1]);
  const refusals = answers.filter(({ statusCode }) => statusCode === 409);
  expect(refusals).toHaveLength(CHECK_IN_COUNT - 1);
  expect(new Set(refusals.map((answer) => answer.json().message))).toEqual(new Set(['您今天已经签到过了']));
  expect(await eventsOf(id)).toEqual([{ key: `sign_in:${id}:20260301`, amount: 1, balance: 1 }]);
  expect(await balanceOf(ctx, id)).toBe(1);
  expect((await listActivities(headers)).dynamic).toMatchObject([
    { type: 11, content: '完成了每日签到，获得 1 个豆奖励', user_id: id },
  ]);
});

test('a new day for check-ins begins at midnight in the time zone of the site', async () => {
  const id = await createUserWithCredit(ctx);
  const headers = await loginHeaders(ctx, id);
  clock.now = new Date('2026-03-01T15:59:59Z');
  expect((await checkIn(headers)).json()).toMatchObject({ sign_at: 20260301, award: 1 });
  expect((await checkIn(headers)).statusCode).toBe(409);
  clock.now = new Date('2026-03-01T16:00:00Z');
  expect(await today(headers)).toMatchObject({ id: 0, sign_at: 20260302 });
  const answers = await Promise.all(numbersUpTo(20).map(() => checkIn(headers)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(await balanceOf(ctx, id)).toBe(2);
});

test('a change of the time zone moves the start of the day immediately on every node', async () => {
  const headers = await loginHeaders(ctx, await createUserWithCredit(ctx));
  await changeSetting('system', 'timezone', 'America/New_York');
  clock.now = new Date('2026-03-02T04:59:59Z');
  expect((await checkIn(headers)).json()).toMatchObject({ sign_at: 20260301 });
  clock.now = new Date('2026-03-02T05:00:00Z');
  await expect.poll(async () => (await checkIn(headers, secondApp)).json()).toMatchObject({ sign_at: 20260302 });
  await changeSetting('system', 'timezone', 'Asia/Shanghai');
});

test('today has id 0 before the check-in and the id of the record afterwards', async () => {
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
  const answer = await checkIn(headers);
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

test('the award follows its setting, and a check-in without an award still counts', async () => {
  await changeSetting('score', 'sign_in', '7');
  const firstUser = await createUserWithCredit(ctx);
  const answer = await checkIn(await loginHeaders(ctx, firstUser));
  expect(answer.json().award).toBe(7);
  expect(await balanceOf(ctx, firstUser)).toBe(7);

  await changeSetting('score', 'sign_in', '0');
  const id = await createUserWithCredit(ctx);
  const headers = await loginHeaders(ctx, id);
  expect((await checkIn(headers)).json()).toMatchObject({ award: 0 });
  expect((await checkIn(headers)).statusCode).toBe(409);
  expect(await eventsOf(id)).toEqual([]);
  expect((await listActivities(headers)).dynamic).toMatchObject([{ content: '完成了每日签到' }]);
  await changeSetting('score', 'sign_in', '1');
});

test('rejects check-ins of visitors with 401 and check-ins with input with 400', async () => {
  expect((await checkIn({})).statusCode).toBe(401);
  expect((await app.inject({ url: '/api/v1/user/sign' })).statusCode).toBe(401);
  const answer = await app.inject({
    method: 'PUT',
    url: '/api/v1/user/sign',
    headers: await as.user(),
    payload: { award: 1000 },
  });
  expect(answer.statusCode).toBe(400);
});

test('the ledger is consistent after all tests of this file', async () => {
  expect(await findLedgerViolations(pool)).toEqual([]);
});
