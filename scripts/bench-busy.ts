/**
 * Conversions on a machine that is busy with other work: one-page letters beside loops that take the
 * processors at normal priority, compared with LibreOffice alone, one letter after the other, under
 * the same load; then documents of the corpus on two workers. Prints JSON lines; exits 1 when a
 * promise is not kept.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeDocx } from '#modules/conversion/document-files.fixture.ts';
import { runOffice, sentence } from './bench-book.ts';
import { benchReport } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const LETTERS = 12;
const MIXED = 38;
const LOADS = [8, 16];
const SAMPLE_MS = 500;
/** A claim takes a moment; a document that waits longer beside a free place is idle. */
const MAX_IDLE_MS = 3_000;
const corpus = path.join(import.meta.dirname, '../../shared/corpus');

type Site = Awaited<ReturnType<typeof siteClient>>;

const { report, exitCode } = benchReport();

/** Each loop is a session of its own, as programs of different users are. */
async function besideLoops<T>(count: number, work: () => Promise<T>): Promise<T> {
  const loops = Array.from({ length: count }, () =>
    spawn('sh', ['-c', 'while :; do :; done'], { detached: true, stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const { pid } of loops) if (pid) process.kill(-pid, 'SIGKILL');
  }
}

const letter = (name: string) => makeDocx(name, ...Array.from({ length: 20 }, (_, line) => `${line} ${sentence}`));

/** Milliseconds of the first run and of all, one after the other. */
async function bareOffice(): Promise<{ first: number; all: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-bench-'));
  const times: number[] = [];
  for (let index = 0; index < LETTERS; index++) {
    const file = path.join(folder, `letter-${index}.docx`);
    await writeFile(file, letter(`单独 ${index}`));
    times.push(await runOffice(file));
  }
  await rm(folder, { recursive: true });
  return { first: times[0] ?? 0, all: times.reduce((sum, time) => sum + time, 0) };
}

/** Milliseconds from the first upload until the first letter and until all can be read. */
async function convertLetters(site: Site, round: string): Promise<{ first: number; all: number }> {
  const startedAt = performance.now();
  const done: Promise<number>[] = [];
  // Each is watched from its upload on: the first may be ready before the last is sent.
  const readyAfter = async (id: number) => {
    await site.until(id, isComplete, 1_800_000);
    return performance.now() - startedAt;
  };
  for (let index = 0; index < LETTERS; index++) {
    const attachment = await site.upload('letter.docx', letter(`${round} ${index}`));
    done.push(readyAfter(await site.create(attachment)));
  }
  const [first = 0, ...others] = await Promise.all(done);
  return { first, all: Math.max(first, ...others) };
}

async function benchLetters(loops: number): Promise<void> {
  const server = await killableServer();
  try {
    await server.start();
    await server.dropCaptcha();
    const site = await siteClient(server.api);
    await besideLoops(loops, async () => {
      const bare = await bareOffice();
      for (const round of ['on an empty site', 'on a site that has converted before']) {
        const times = await convertLetters(site, `${loops} ${round}`);
        report(
          `${LETTERS} letters beside ${loops} loops, ${round}`,
          {
            first_ms: times.first,
            bare_first_ms: bare.first,
            first_ratio: times.first / bare.first,
            first_limit: 2,
            all_ms: times.all,
            bare_all_ms: bare.all,
            all_ratio: times.all / bare.all,
            all_limit: 1.5,
          },
          times.first <= 2 * bare.first && times.all <= 1.5 * bare.all,
        );
      }
    });
  } finally {
    await server.remove();
  }
}

/** Files of every kind; one that the site refuses does not count. */
async function sendMixed(site: Site): Promise<number[]> {
  const rows = (await readFile(path.join(corpus, 'INDEX.tsv'), 'utf8')).trim().split('\n').slice(1);
  const files = rows.map((row) => row.split('\t')[0] ?? '');
  const ids: number[] = [];
  // Steps that have no factor in common with the number of files reach files of all folders.
  for (let index = 0; index < files.length && ids.length < MIXED; index++) {
    const file = files[(index * 7) % files.length] ?? '';
    const bytes = await readFile(path.join(corpus, file));
    const attachment = await site.upload(path.basename(file), bytes).catch(() => null);
    if (attachment !== null) ids.push(await site.create(attachment));
  }
  return ids;
}

/** Milliseconds for which a document waited at most although a worker had a free place. */
function watchIdle(database: pg.Client, workers: number) {
  let [longest, isStopped] = [0, false];
  let idleSince: number | null = null;
  const watching = (async () => {
    while (!isStopped) {
      const { rows } = await database.query<{ waiting: number; running: number }>(`
        select count(*) filter (where lease_until > now())::int as running,
          count(*) filter (where convert_after <= now()
            and (lease_until is null or lease_until < now()))::int as waiting
        from renditions`);
      const { waiting = 0, running = 0 } = rows[0] ?? {};
      const isIdle = waiting > 0 && running < workers * availableParallelism();
      const now = performance.now();
      longest = Math.max(longest, now - (idleSince ?? now));
      idleSince = isIdle ? (idleSince ?? now) : null;
      await sleep(SAMPLE_MS);
    }
  })();
  return async () => {
    isStopped = true;
    await watching;
    return longest;
  };
}

async function benchMixed(loops: number): Promise<void> {
  const server = await killableServer();
  try {
    await server.start('web');
    await server.startWorker();
    await server.startWorker();
    await server.dropCaptcha();
    const site = await siteClient(server.api);
    const database = new pg.Client(await server.databaseUrl());
    await database.connect();
    await besideLoops(loops, async () => {
      const startedAt = performance.now();
      const stopWatching = watchIdle(database, 2);
      const ids = await sendMixed(site);
      for (const id of ids) await site.until(id, isComplete, 3_600_000);
      const longest = await stopWatching();
      report(
        `${ids.length} mixed documents on two workers beside ${loops} loops`,
        {
          ms: performance.now() - startedAt,
          longest_idle_ms: longest,
          limit_ms: MAX_IDLE_MS,
        },
        longest <= MAX_IDLE_MS,
      );
    });
    await database.end();
  } finally {
    await server.remove();
  }
}

const isWanted = (name: string) => process.argv.length < 3 || process.argv.includes(name);
for (const loops of LOADS) if (isWanted('letters')) await benchLetters(loops);
if (isWanted('mixed') && existsSync(corpus)) await benchMixed(LOADS.at(-1) ?? 0);
process.exitCode = exitCode();
