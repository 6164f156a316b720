/**
 * Random bean operations against the real server and its embedded PostgreSQL, all of it killed with
 * SIGKILL again and again. After each plain restart: entries sum to zero, balances at hand equal the
 * entries, none is below zero, every acknowledged operation is there exactly once. Prints figures;
 * exits 1 on a violation. Argument: number of rounds.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildContext } from '#app/server/build-context.ts';
import { createUserWithCredit, loginHeaders, range } from '#modules/credit/credit.fixture.ts';
import { entriesByEventKey, findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { loadConfig } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';
import { median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';

const ROUNDS = Number(process.argv[2] ?? 20);
const ACCOUNTS = 4;
const SIGNERS = 10;
const SIGNS_EACH = 20;
/** Sign-ins are spread over this time, so that the kill comes upon some of them. */
const SIGNING_MS = 5000;
const ADJUSTERS = 4;
const LONGEST_ROUND_MS = 30_000;

type Headers = Record<string, string>;
type Adjustment = { user_id: number; amount: number; note: string; key: string };
const server = await killableServer();
/** What was acknowledged, by the key of its event. */
const acknowledged = new Map<string, Record<string, number>>();
/** Sent, but not answered before the kill: sent again with the same key afterwards. */
const unanswered = new Map<string, Adjustment>();
const violations: string[] = [];
const figures = { sent: 0, repeated: 0, signs: 0, failures: 0, killed: 0 };

async function send(method: string, path: string, headers: Headers, body?: object) {
  figures.sent += 1;
  try {
    const answer = await fetch(`${server.api}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    await answer.text();
    if (answer.status >= 500) figures.failures += 1;
    return answer.status;
  } catch {
    return 0; // Killed before it could answer.
  }
}

function acknowledge(key: string, entries: Record<string, number>): void {
  if (acknowledged.has(key)) violations.push(`${key} was acknowledged twice`);
  acknowledged.set(key, entries);
}

/** False when the server did not answer any more. */
async function adjust(root: Headers, wish: Adjustment): Promise<boolean> {
  unanswered.set(wish.key, wish);
  const status = await send('POST', '/user/credit', root, wish);
  const { user_id, amount, key } = wish;
  if (status === 200) acknowledge(`adjustment:1:${key}`, { [`user:${user_id}`]: amount, 'system:mint': -amount });
  if (status === 200 || status === 403) unanswered.delete(key);
  return status !== 0;
}

/** What a client does that got no answer: it asks again. */
async function repeatUnanswered(root: Headers): Promise<void> {
  for (const wish of [...unanswered.values()]) {
    figures.repeated += 1;
    await adjust(root, wish);
  }
  for (const [userId, headers] of [...unsigned]) {
    figures.repeated += 1;
    await signIn(userId, headers);
  }
}

async function adjustUntilKilled(root: Headers, users: number[]): Promise<void> {
  for (let isAlive = true; isAlive; ) {
    const user_id = users[Math.floor(Math.random() * users.length)] ?? 0;
    const amount = (1 + Math.floor(Math.random() * 30)) * (Math.random() < 0.5 ? -1 : 1);
    const key = crypto.randomUUID();
    isAlive = await adjust(root, { user_id, amount, note: '压力测试', key });
  }
}

/** Days on which a user is known to have signed in; the rest did not hear before the kill. */
const signedDays = new Map<number, number>();
const unsigned = new Map<number, Headers>();

/** The same user many times at once; "already" also tells that the record must be there. */
async function signIn(userId: number, headers: Headers): Promise<void> {
  unsigned.set(userId, headers);
  const tries = range(SIGNS_EACH).map(() => send('PUT', '/user/sign', headers));
  const answers = await Promise.all(tries);
  const done = answers.filter((status) => status === 200).length;
  figures.signs += done;
  if (!answers.includes(200) && !answers.includes(409)) return;
  signedDays.set(userId, Math.max(done, 1));
  unsigned.delete(userId);
}

async function openSite() {
  const config = loadConfig({ DATA_DIR: server.folder, LOG_LEVEL: 'fatal' });
  return buildContext(config, await server.databaseUrl(), createLog('fatal'));
}
type Site = Awaited<ReturnType<typeof openSite>>;

async function check({ pool }: Site): Promise<void> {
  violations.push(...(await findLedgerViolations(pool)));
  const posted = await entriesByEventKey(pool, [...acknowledged.keys()]);
  const plain = (entries: object = {}) => JSON.stringify(Object.entries(entries).sort());
  for (const [key, entries] of acknowledged)
    if (plain(posted.get(key)) !== plain(entries))
      violations.push(`${key}: acknowledged ${plain(entries)}, found ${plain(posted.get(key))}`);
  const { rows } = await pool.query<{ user_id: number; records: number; events: number }>(
    `select u.id::int as user_id, count(s.id)::int as records, count(e.id)::int as events
     from users u left join check_ins s on s.user_id = u.id
     left join ledger_events e on e.key = 'sign_in:' || s.user_id || ':' || s.sign_at
     group by u.id`,
  );
  for (const { user_id, records, events } of rows)
    if (records !== events || records !== (signedDays.get(user_id) ?? records))
      violations.push(`user ${user_id}: ${records} sign-ins, ${events} of them paid`);
}

let accounts: number[] = [];

async function round(number: number): Promise<void> {
  const site = await openSite();
  await check(site);
  const root = await loginHeaders(site.ctx, 1);
  await repeatUnanswered(root);
  if (accounts.length === 0)
    accounts = await Promise.all(range(ACCOUNTS).map(() => createUserWithCredit(site.ctx, 100)));
  const signers = await Promise.all(range(SIGNERS).map(() => createUserWithCredit(site.ctx)));
  const headers = await Promise.all(signers.map((id) => loginHeaders(site.ctx, id)));
  await site.close();

  const url = await server.databaseUrl();
  const args = [url, String(number), accounts.join(',')];
  const writer = server.join('scripts/stress-ledger-writer.ts', args);
  const lines = createInterface({ input: writer.stdout as Readable });
  lines.on('line', (line) => {
    const { key, entries } = JSON.parse(line);
    acknowledge(key, entries);
  });
  const drained = once(lines, 'close');
  const before = acknowledged.size;
  const working = [
    ...range(ADJUSTERS).map(() => adjustUntilKilled(root, accounts)),
    ...signers.map(async (id, index) => {
      await sleep(Math.random() * SIGNING_MS);
      await signIn(id, headers[index] ?? {});
    }),
  ];
  // By work, not by time: a busy machine is slow to begin.
  const enough = before + 100 + Math.random() * 900;
  const limit = Date.now() + LONGEST_ROUND_MS;
  while (acknowledged.size < enough && Date.now() < limit) await sleep(10);
  figures.killed += await server.kill();
  await Promise.all([...working, drained]);
}

const starts: number[] = [];
try {
  for (let number = 1; number <= ROUNDS; number += 1) {
    starts.push(await server.start());
    await round(number);
    console.log(
      `round ${number}: start ${Math.round(starts.at(-1) ?? 0)} ms, ${acknowledged.size} acknowledged, ` +
        `${unanswered.size} unanswered, ${violations.length} violations`,
    );
  }
  starts.push(await server.start());
  const site = await openSite();
  await repeatUnanswered(await loginHeaders(site.ctx, 1));
  await check(site);
  await site.close();
} finally {
  await server.remove();
}
const warm = starts.slice(1);
console.log(
  `${ROUNDS} kills (${figures.killed} processes), ${acknowledged.size} acknowledged movements, ` +
    `${figures.signs} sign-ins of ${ROUNDS * SIGNERS} users trying ${SIGNS_EACH} times at once, ` +
    `${figures.sent} requests, ` +
    `${figures.repeated} repeated after a kill, ${figures.failures} answered 5xx, ` +
    `${violations.length} violations; start after a kill: median ` +
    `${Math.round(median(warm))} ms, worst ${Math.round(Math.max(0, ...warm))} ms`,
);
for (const violation of violations.slice(0, 20)) console.error(violation);
process.exitCode = violations.length > 0 ? 1 : 0;
