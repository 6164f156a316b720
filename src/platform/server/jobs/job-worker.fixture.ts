// A worker process for jobs-recovery.test.ts: `node job-worker.fixture.ts <database> <name>`.
import pg from 'pg';
import { pino } from 'pino';
import * as z from 'zod/mini';
import { createJobs, defineJob } from './jobs.ts';

type Worker = { pool: pg.Pool; name: string };

const note = (worker: Worker, event: string, detail: string) =>
  worker.pool.query('insert into events (worker, event, detail) values ($1, $2, $3)', [worker.name, event, detail]);

/** The first worker never finishes: it is killed in the middle. */
async function work(worker: Worker, { what }: { what: string }) {
  await note(worker, 'started', what);
  if (worker.name === 'doomed') await new Promise(() => undefined);
  await note(worker, 'finished', what);
}

const input = z.object({ what: z.string() });
export const patient = defineJob({ name: 'patient', input, run: work });
export const fragile = defineJob({
  name: 'fragile',
  input,
  retries: 0,
  run: work,
  giveUp: async (worker: Worker, { what }, reason) => {
    await note(worker, 'gave up', `${what}: ${reason}`);
  },
});
export const byTheClock = defineJob({ name: 'by-the-clock', input, run: work });
export const recoveryJobs = [patient, fragile, byTheClock];

/** Shorter than the defaults, so that the test is quick; 10 is the least pg-boss allows. */
export const timing = { heartbeatSeconds: 10, checkSeconds: 1, pollSeconds: 1 };

if (process.argv[1] === import.meta.filename) {
  const [connectionString, name = ''] = process.argv.slice(2);
  const pool = new pg.Pool({ connectionString });
  const jobs = createJobs({ pool, log: pino({ level: 'silent' }), timing });
  await jobs.start(recoveryJobs, { pool, name }, { work: true });
}
