import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../db/empty-database.fixture.ts';
import {
  jobWithoutRetries,
  jobWithRetries,
  RECOVERY_TIMING,
  recoveryJobs,
  scheduledJob,
} from './job-worker.fixture.ts';
import { createJobs, type Jobs } from './jobs.ts';

const log = pino({ level: 'silent' });
const workers = new Set<ChildProcess>();
let url = '';
let pool: pg.Pool;
let jobs: Jobs;

beforeAll(async () => {
  url = await emptyDatabase();
  pool = new pg.Pool({ connectionString: url });
  await pool.query(`create table events (
    at timestamptz not null default clock_timestamp(), worker text, event text, detail text)`);
  jobs = createJobs({ pool, log, timing: RECOVERY_TIMING });
  await jobs.start(recoveryJobs, { pool, name: 'sender' }, { runJobs: false });
});

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await jobs?.stop();
  await pool?.end();
});

function startWorker(name: string): ChildProcess {
  const script = fileURLToPath(new URL('job-worker.fixture.ts', import.meta.url));
  const worker = spawn(process.execPath, [script, url, name], { stdio: 'inherit' });
  workers.add(worker);
  return worker;
}

const events = async () =>
  (await pool.query('select worker, event, detail from events order by at')).rows.map(
    ({ worker, event, detail }) => `${worker} ${event} ${detail}`,
  );

describe('jobs of a worker that is killed', () => {
  it('are finished by another worker within 60 seconds of a SIGKILL, or reported as failed when no retry is left', async () => {
    const killedWorker = startWorker('killed-worker');
    await jobs.send(jobWithRetries, { label: 'a' });
    await jobs.send(jobWithoutRetries, { label: 'b' });
    await expect.poll(events).toHaveLength(2);
    killedWorker.kill('SIGKILL');
    await once(killedWorker, 'exit');
    const killedAt = Date.now();

    startWorker('next-worker');
    await jobs.schedule(scheduledJob, '* * * * *', { label: 'c' }, { tz: 'UTC' });
    await expect.poll(events, { interval: 200 }).toContain('next-worker finished a');
    const seconds = (Date.now() - killedAt) / 1000;
    expect(seconds).toBeLessThan(60);
    await expect.poll(events, { interval: 200 }).toContain('next-worker failed b: 处理进程意外中断');

    await expect.poll(events, { interval: 500 }).toContain('next-worker finished c');
    const allEvents = await events();
    expect(allEvents.filter((event) => event.includes('failed'))).toHaveLength(1);
    expect(allEvents.filter((event) => event === 'next-worker started a')).toHaveLength(1);
    expect(allEvents).not.toContain('next-worker started b');
  });
});
