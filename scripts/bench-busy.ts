/**
 * Measures conversions on a busy machine: one-page letters beside CPU loops at normal priority, compared with LibreOffice
 * alone under the same load, one letter after the other; then documents of the corpus on two workers. Prints JSON lines;
 * exits 1 if a figure exceeds its limit.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeDocx } from '#modules/conversion/document-files.fixture.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { runOffice, sentence } from './bench-documents.ts';
import { benchReport } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const LETTER_COUNT = 12;
const MIXED_COUNT = 38;
/** Some files of the corpus are damaged on purpose. */
const MIN_READABLE = 30;
const LOOP_COUNTS = [8, 16];
const SAMPLE_INTERVAL_MS = 500;
/** Tolerance for the time between a slot becoming free and the next claim. */
const MAX_IDLE_MS = 3_000;
const corpus = path.join(import.meta.dirname, '../../shared/corpus');

type Site = Awaited<ReturnType<typeof siteClient>>;

const { report, exitCode } = benchReport();

/** Each loop gets its own session, like programs of different users. */
async function withCpuLoops<T>(count: number, work: () => Promise<T>): Promise<T> {
  const loops = Array.from({ length: count }, () =>
    spawn('sh', ['-c', 'while :; do :; done'], { detached: true, stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const { pid } of loops) if (pid) process.kill(-pid, 'SIGKILL');
  }
}

const makeLetter = (name: string) => makeDocx(name, ...Array.from({ length: 20 }, (_, line) => `${line} ${sentence}`));

/** Milliseconds of the first run and of all runs, one after the other. */
async function measureLibreOffice(): Promise<{ first: number; all: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-bench-'));
  const times: number[] = [];
  for (let index = 0; index < LETTER_COUNT; index++) {
    const file = path.join(folder, `letter-${index}.docx`);
    await writeFile(file, makeLetter(`单独 ${index}`));
    times.push(await runOffice(file));
  }
  await rm(folder, { recursive: true });
  return { first: times[0] ?? 0, all: times.reduce((sum, time) => sum + time, 0) };
}

/** Milliseconds from the first upload until the first letter and until all letters are readable. */
async function convertLetters(site: Site, round: string): Promise<{ first: number; all: number }> {
  const startedAt = performance.now();
  const readyTimes: Promise<number>[] = [];
  // Polls from the upload of each letter, because the first may be ready before the last is sent.
  const waitForReady = async (id: number) => {
    await site.waitUntil(id, isComplete, 1_800_000);
    return performance.now() - startedAt;
  };
  for (let index = 0; index < LETTER_COUNT; index++) {
    const attachment = await site.upload('letter.docx', makeLetter(`${round} ${index}`));
    readyTimes.push(waitForReady(await site.create(attachment)));
  }
  const [first = 0, ...laterTimes] = await Promise.all(readyTimes);
  return { first, all: Math.max(first, ...laterTimes) };
}

async function benchLetters(loops: number): Promise<void> {
  const server = await killableServer();
  try {
    await server.start();
    await server.disableCaptcha();
    const site = await siteClient(server.api);
    await withCpuLoops(loops, async () => {
      const bare = await measureLibreOffice();
      for (const round of ['on an empty site', 'on a site with earlier conversions']) {
        const times = await convertLetters(site, `${loops} ${round}`);
        report(
          `${LETTER_COUNT} letters beside ${loops} loops, ${round}`,
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

/** Uploads files of all kinds; skips files that the site refuses. */
async function uploadMixed(site: Site): Promise<number[]> {
  const rows = (await readFile(path.join(corpus, 'INDEX.tsv'), 'utf8')).trim().split('\n').slice(1);
  const files = rows.map((row) => row.split('\t')[0] ?? '');
  const ids: number[] = [];
  // A step that is coprime to the number of files reaches files of all folders.
  for (let index = 0; index < files.length && ids.length < MIXED_COUNT; index++) {
    const file = files[(index * 7) % files.length] ?? '';
    const bytes = await readFile(path.join(corpus, file));
    const attachment = await site.upload(path.basename(file), bytes).catch(() => null);
    if (attachment !== null) ids.push(await site.create(attachment));
  }
  return ids;
}

/** Measures the longest time in milliseconds for which a document waited while a worker had a free slot. */
function watchIdleSlots(database: pg.Client, workers: number) {
  let [longestMs, isStopped] = [0, false];
  let idleSince: number | null = null;
  const watchPromise = (async () => {
    while (!isStopped) {
      const { rows } = await database.query<{ waiting_count: number; running_count: number }>(`
        select count(*) filter (where lease_until > now())::int as running_count,
          count(*) filter (where convert_after <= now()
            and (lease_until is null or lease_until < now()))::int as waiting_count
        from renditions`);
      const { waiting_count: waitingCount = 0, running_count: runningCount = 0 } = rows[0] ?? {};
      const isIdle = waitingCount > 0 && runningCount < workers * availableParallelism();
      const now = performance.now();
      longestMs = Math.max(longestMs, now - (idleSince ?? now));
      idleSince = isIdle ? (idleSince ?? now) : null;
      await sleep(SAMPLE_INTERVAL_MS);
    }
  })();
  return async () => {
    isStopped = true;
    await watchPromise;
    return longestMs;
  };
}

async function benchMixed(loops: number): Promise<void> {
  const server = await killableServer();
  try {
    await server.start('web');
    await server.startWorker();
    await server.startWorker();
    await server.disableCaptcha();
    const site = await siteClient(server.api);
    const database = new pg.Client(await server.databaseUrl());
    await database.connect();
    await withCpuLoops(loops, async () => {
      const startedAt = performance.now();
      const stopWatching = watchIdleSlots(database, 2);
      const ids = await uploadMixed(site);
      for (const id of ids) await site.waitUntil(id, isComplete, 3_600_000);
      const longestIdleMs = await stopWatching();
      const statuses = await Promise.all(ids.map(async (id) => (await site.progress(id)).status));
      const readable = statuses.filter((status) => status === documentStatus.converted).length;
      report(
        `${ids.length} mixed documents on two workers beside ${loops} loops`,
        {
          ms: performance.now() - startedAt,
          readable,
          readable_limit: MIN_READABLE,
          longest_idle_ms: longestIdleMs,
          limit_ms: MAX_IDLE_MS,
        },
        longestIdleMs <= MAX_IDLE_MS && ids.length === MIXED_COUNT && readable >= MIN_READABLE,
      );
    });
    await database.end();
  } finally {
    await server.remove();
  }
}

const isSelected = (name: string) => process.argv.length < 3 || process.argv.includes(name);
for (const loops of LOOP_COUNTS) if (isSelected('letters')) await benchLetters(loops);
if (isSelected('mixed')) {
  if (!existsSync(corpus)) throw new Error(`the documents are missing: ${corpus}`);
  await benchMixed(LOOP_COUNTS.at(-1) ?? 0);
}
process.exitCode = exitCode();
