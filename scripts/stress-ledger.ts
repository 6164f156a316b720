/**
 * Runs random credit operations against the real server and repeatedly kills it and its PostgreSQL with SIGKILL. After
 * each restart: entries sum to zero, users.credit_count equals the ledger balance, no balance is negative, every
 * acknowledged operation exists exactly once. Prints figures; exits 1 on a violation. Argument: number of rounds.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildContext } from '#app/server/build-context.ts';
import { createUserWithCredit, numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { entriesByEventKey, findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { loginHeaders } from '#modules/role/role.fixture.ts';
import { loadConfig } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';
import { median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';

const ROUNDS = Number(process.argv[2] ?? 20);
const ACCOUNT_COUNT = 4;
const CHECK_IN_USERS = 10;
const CHECK_INS_PER_USER = 20;
/** Check-ins are spread over this time, so that the kill interrupts some of them. */
const CHECK_IN_PERIOD_MS = 5000;
const CONCURRENT_ADJUSTMENTS = 4;
const MAX_ROUND_MS = 30_000;

type Headers = Record<string, string>;
type Adjustment = { user_id: number; amount: number; note: string; key: string };
const server = await killableServer();
const acknowledgedEntries = new Map<string, Record<string, number>>();
/** Requests without a response before the kill; they are repeated with the same key. */
const unansweredRequests = new Map<string, Adjustment>();
const violations: string[] = [];
const figures = { sent: 0, repeated: 0, checkIns: 0, failures: 0, killed: 0 };

async function send(method: string, path: string, headers: Headers, body?: object) {
  figures.sent += 1;
  try {
    const response = await fetch(`${server.api}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    await response.text();
    if (response.status >= 500) figures.failures += 1;
    return response.status;
  } catch {
    return 0; // The server was killed before its response.
  }
}

function acknowledge(key: string, entries: Record<string, number>): void {
  if (acknowledgedEntries.has(key)) violations.push(`${key} was acknowledged twice`);
  acknowledgedEntries.set(key, entries);
}

/** Returns false if the server no longer responds. */
async function adjustCredit(root: Headers, adjustment: Adjustment): Promise<boolean> {
  unansweredRequests.set(adjustment.key, adjustment);
  const status = await send('POST', '/user/credit', root, adjustment);
  const { user_id, amount, key } = adjustment;
  if (status === 200) acknowledge(`adjustment:1:${key}`, { [`user:${user_id}`]: amount, 'system:mint': -amount });
  if (status === 200 || status === 403) unansweredRequests.delete(key);
  return status !== 0;
}

/** Repeats requests without a response, as a client does. */
async function repeatUnanswered(root: Headers): Promise<void> {
  for (const adjustment of [...unansweredRequests.values()]) {
    figures.repeated += 1;
    await adjustCredit(root, adjustment);
  }
  for (const [userId, headers] of [...unconfirmedCheckIns]) {
    figures.repeated += 1;
    await checkIn(userId, headers);
  }
}

async function adjustCreditUntilKilled(root: Headers, users: number[]): Promise<void> {
  for (let isAlive = true; isAlive; ) {
    const user_id = users[Math.floor(Math.random() * users.length)] ?? 0;
    const amount = (1 + Math.floor(Math.random() * 30)) * (Math.random() < 0.5 ? -1 : 1);
    const key = crypto.randomUUID();
    isAlive = await adjustCredit(root, { user_id, amount, note: '压力测试', key });
  }
}

const checkInCounts = new Map<number, number>();
const unconfirmedCheckIns = new Map<number, Headers>();

/** Sends concurrent check-ins of one user. 409 also proves that the record exists. */
async function checkIn(userId: number, headers: Headers): Promise<void> {
  unconfirmedCheckIns.set(userId, headers);
  const requests = numbersUpTo(CHECK_INS_PER_USER).map(() => send('PUT', '/user/sign', headers));
  const statuses = await Promise.all(requests);
  const successCount = statuses.filter((status) => status === 200).length;
  figures.checkIns += successCount;
  if (!statuses.includes(200) && !statuses.includes(409)) return;
  checkInCounts.set(userId, Math.max(successCount, 1));
  unconfirmedCheckIns.delete(userId);
}

async function openSite() {
  const config = loadConfig({ DATA_DIR: server.folder, LOG_LEVEL: 'fatal' });
  return buildContext(config, await server.databaseUrl(), createLog('fatal'));
}
type Site = Awaited<ReturnType<typeof openSite>>;

async function findViolations({ pool }: Site): Promise<void> {
  violations.push(...(await findLedgerViolations(pool)));
  const storedEntries = await entriesByEventKey(pool, [...acknowledgedEntries.keys()]);
  const serialize = (entries: object = {}) => JSON.stringify(Object.entries(entries).sort());
  for (const [key, entries] of acknowledgedEntries)
    if (serialize(storedEntries.get(key)) !== serialize(entries))
      violations.push(`${key}: acknowledged ${serialize(entries)}, stored ${serialize(storedEntries.get(key))}`);
  const { rows } = await pool.query<{ user_id: number; records: number; events: number }>(
    `select u.id::int as user_id, count(s.id)::int as records, count(e.id)::int as events
     from users u left join check_ins s on s.user_id = u.id
     left join ledger_events e on e.key = 'sign_in:' || s.user_id || ':' || s.sign_at
     group by u.id`,
  );
  for (const { user_id, records, events } of rows)
    if (records !== events || records !== (checkInCounts.get(user_id) ?? records))
      violations.push(`user ${user_id}: ${records} check-ins, ${events} of them rewarded`);
}

let accountIds: number[] = [];

async function runRound(number: number): Promise<void> {
  const site = await openSite();
  await findViolations(site);
  const root = await loginHeaders(site.ctx, 1);
  await repeatUnanswered(root);
  if (accountIds.length === 0)
    accountIds = await Promise.all(numbersUpTo(ACCOUNT_COUNT).map(() => createUserWithCredit(site.ctx, 100)));
  const checkInUsers = await Promise.all(numbersUpTo(CHECK_IN_USERS).map(() => createUserWithCredit(site.ctx)));
  const headers = await Promise.all(checkInUsers.map((id) => loginHeaders(site.ctx, id)));
  await site.close();

  const url = await server.databaseUrl();
  const args = [url, String(number), accountIds.join(',')];
  const writer = server.startProgram('scripts/stress-ledger-writer.ts', args);
  const lines = createInterface({ input: writer.stdout as Readable });
  lines.on('line', (line) => {
    const { key, entries } = JSON.parse(line);
    acknowledge(key, entries);
  });
  const outputEnd = once(lines, 'close');
  const before = acknowledgedEntries.size;
  const operations = [
    ...numbersUpTo(CONCURRENT_ADJUSTMENTS).map(() => adjustCreditUntilKilled(root, accountIds)),
    ...checkInUsers.map(async (id, index) => {
      await sleep(Math.random() * CHECK_IN_PERIOD_MS);
      await checkIn(id, headers[index] ?? {});
    }),
  ];
  // Kills after a number of operations, because a busy machine starts slowly.
  const killAfterCount = before + 100 + Math.random() * 900;
  const deadline = Date.now() + MAX_ROUND_MS;
  while (acknowledgedEntries.size < killAfterCount && Date.now() < deadline) await sleep(10);
  figures.killed += await server.kill();
  await Promise.all([...operations, outputEnd]);
}

const startTimes: number[] = [];
try {
  for (let number = 1; number <= ROUNDS; number += 1) {
    startTimes.push(await server.start());
    await runRound(number);
    console.log(
      `round ${number}: start ${Math.round(startTimes.at(-1) ?? 0)} ms, ${acknowledgedEntries.size} acknowledged, ` +
        `${unansweredRequests.size} unanswered, ${violations.length} violations`,
    );
  }
  startTimes.push(await server.start());
  const site = await openSite();
  await repeatUnanswered(await loginHeaders(site.ctx, 1));
  await findViolations(site);
  await site.close();
} finally {
  await server.remove();
}
const restartTimes = startTimes.slice(1);
console.log(
  `${ROUNDS} kills (${figures.killed} processes), ${acknowledgedEntries.size} acknowledged operations, ` +
    `${figures.checkIns} check-ins of ${ROUNDS * CHECK_IN_USERS} users with ${CHECK_INS_PER_USER} concurrent requests each, ` +
    `${figures.sent} requests, ` +
    `${figures.repeated} repeated after a kill, ${figures.failures} answered 5xx, ` +
    `${violations.length} violations; start after a kill: median ` +
    `${Math.round(median(restartTimes))} ms, worst ${Math.round(Math.max(0, ...restartTimes))} ms`,
);
for (const violation of violations.slice(0, 20)) console.error(violation);
process.exitCode = violations.length > 0 ? 1 : 0;
