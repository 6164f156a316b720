// A worker process for jobs-recovery.full.test.ts: `node job-worker.fixture.ts <database> <name>`.
import pg from 'pg';
import { pino } from 'pino';
import * as z from 'zod/mini';
import { createJobs, defineJob } from './jobs.ts';

type Worker = { pool: pg.Pool; name: string };

const recordEvent = (worker: Worker, event: string, detail: string) =>
  worker.pool.query('insert into events (worker, event, detail) values ($1, $2, $3)', [worker.name, event, detail]);

/** The worker that the test kills never finishes a job. */
async function runRecordedJob(worker: Worker, { label }: { label: string }) {
  await recordEvent(worker, 'started', label);
  if (worker.name === 'killed-worker') await new Promise(() => undefined);
  await recordEvent(worker, 'finished', label);
}

const input = z.object({ label: z.string() });
export const jobWithRetries = defineJob({ name: 'with-retries', input, run: runRecordedJob });
export const jobWithoutRetries = defineJob({
  name: 'without-retries',
  input,
  retries: 0,
  run: runRecordedJob,
  onFailed: async (worker: Worker, { label }, reason) => {
    await recordEvent(worker, 'failed', `${label}: ${reason}`);
  },
});
export const scheduledJob = defineJob({ name: 'scheduled', input, run: runRecordedJob });
export const recoveryJobs = [jobWithRetries, jobWithoutRetries, scheduledJob];

/** Shorter than the defaults to keep the test short; 10 is the minimum of pg-boss. */
export const RECOVERY_TIMING = { heartbeatSeconds: 10, checkSeconds: 1, pollSeconds: 1 };

if (process.argv[1] === import.meta.filename) {
  const [connectionString, name = ''] = process.argv.slice(2);
  const pool = new pg.Pool({ connectionString });
  const jobs = createJobs({ pool, log: pino({ level: 'silent' }), timing: RECOVERY_TIMING });
  await jobs.start(recoveryJobs, { pool, name }, { runJobs: true });
}
