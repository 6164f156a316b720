import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { emptyDatabase } from '../db/empty-database.fixture.ts';
import { createJobs, defineJob, type Jobs } from './jobs.ts';

const log = pino({ level: 'silent' });
let pool: pg.Pool;
let jobs: Jobs;

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await emptyDatabase() });
});
afterEach(() => jobs.stop());
afterAll(async () => {
  await pool.end();
});

const DAY_SECONDS = 86_400;
const input = z.object({ label: z.string() });
type JobContext = { events: string[] };

/** Starts the queue with these jobs and returns the list of events that they record. */
async function start(list: Parameters<typeof jobs.start<JobContext>>[0], runJobs = true, pollSeconds = 0.5) {
  const ctx: JobContext = { events: [] };
  jobs = createJobs({
    pool,
    log,
    timing: { heartbeatSeconds: 15, checkSeconds: 10, pollSeconds },
  });
  await jobs.start(list, ctx, { runJobs });
  return ctx.events;
}
const recordingJob = (name: string) =>
  defineJob({
    name,
    input,
    run: async ({ events }: JobContext, { label }) => {
      events.push(label);
    },
  });

describe('a job', () => {
  it('runs soon after it is sent, with the input that was sent', async () => {
    const job = recordingJob('simple');
    const events = await start([job]);
    const id = await jobs.send(job, { label: '文档' });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await expect.poll(() => events).toEqual(['文档']);
  });

  it('exists only if the transaction that sent it commits', async () => {
    const job = recordingJob('transactional');
    const events = await start([job]);
    const db = drizzle(pool);
    const rolledBack = db.transaction(async (tx) => {
      await jobs.send(job, { label: 'drizzle, rolled back' }, { db: tx });
      throw new Error('rolled back on purpose');
    });
    await expect(rolledBack).rejects.toThrow('rolled back on purpose');
    const client = await pool.connect();
    await client.query('begin');
    await jobs.send(job, { label: 'pg, rolled back' }, { db: client });
    await client.query('rollback');
    await client.query('begin');
    await jobs.send(job, { label: 'pg, committed' }, { db: client });
    await client.query('commit');
    client.release();
    await db.transaction(async (tx) => {
      await jobs.send(job, { label: 'drizzle, committed' }, { db: tx });
      // A job that is sent later runs later, if the earlier one exists.
      await jobs.send(job, { label: 'sent before the commit' });
      await expect.poll(() => events).toEqual(['pg, committed', 'sent before the commit']);
    });
    await expect.poll(() => events).toEqual(['pg, committed', 'sent before the commit', 'drizzle, committed']);
  });

  it('is queued once per key, however often it is sent', async () => {
    const job = recordingJob('keyed');
    await start([job], false);
    const ids = [
      await jobs.send(job, { label: 'one' }, { key: 'document-1' }),
      await jobs.send(job, { label: 'one again' }, { key: 'document-1' }),
      await jobs.send(job, { label: 'two' }, { key: 'document-2' }),
      await jobs.send(job, { label: 'no key' }),
      await jobs.send(job, { label: 'no key either' }),
    ];
    expect(ids.map((id) => id !== null)).toEqual([true, false, true, true, true]);
    await jobs.stop();
    const events = await start([job]);
    await expect.poll(() => events.length).toBe(4);
    expect(events).not.toContain('one again');
  });

  it('runs first with a higher priority, and not before its start time', async () => {
    const job = recordingJob('ordered');
    await start([job], false);
    await jobs.send(job, { label: 'later' }, { startAfter: new Date(Date.now() + 3_600_000) });
    await jobs.send(job, { label: 'ordinary' });
    await jobs.send(job, { label: 'urgent' }, { priority: 10 });
    await jobs.stop();
    const events = await start([job]);
    await expect.poll(() => events).toEqual(['urgent', 'ordinary']);
  });

  it('is attempted three times, then reported as failed once, with the reason of the last failure', async () => {
    const job = defineJob({
      name: 'always-failing',
      input,
      retryDelaySeconds: 0,
      run: async ({ events }: JobContext, { label }, { attempt }) => {
        events.push(`${label} ${attempt}`);
        throw new Error(`第 ${attempt} 次失败`);
      },
      onFailed: async ({ events }: JobContext, { label }, reason) => {
        events.push(`${label} 放弃：${reason}`);
      },
    });
    const events = await start([job]);
    const eventsOf = (label: string) => [`${label} 1`, `${label} 2`, `${label} 3`, `${label} 放弃：第 3 次失败`];
    await jobs.send(job, { label: 'x' });
    await expect.poll(() => events).toEqual(eventsOf('x'));
    // A further attempt or report of the first job would come before those of the second.
    await jobs.send(job, { label: 'y' });
    await expect.poll(() => events.at(-1)).toBe(eventsOf('y').at(-1));
    expect(events).toEqual([...eventsOf('x'), ...eventsOf('y')]);
  });

  it('is not reported as failed when a retry succeeds', async () => {
    const job = defineJob({
      name: 'flaky',
      input,
      retryDelaySeconds: 0,
      retries: 1,
      run: async ({ events }: JobContext, { label }, { attempt }) => {
        events.push(`${label} ${attempt}`);
        if (label === 'failing' || attempt < 2) throw new Error('not yet');
      },
      onFailed: async ({ events }: JobContext, { label }) => {
        events.push(`${label} reported`);
      },
    });
    const events = await start([job]);
    await jobs.send(job, { label: 'flaky' });
    await expect.poll(() => events).toEqual(['flaky 1', 'flaky 2']);
    // A report of the flaky job would come before that of a job that fails later.
    await jobs.send(job, { label: 'failing' });
    await expect.poll(() => events.at(-1)).toBe('failing reported');
    expect(events).toEqual(['flaky 1', 'flaky 2', 'failing 1', 'failing 2', 'failing reported']);
  });

  it('is aborted at its time limit and fails with a readable reason', async () => {
    const job = defineJob({
      name: 'endless',
      input,
      retries: 0,
      timeoutSeconds: 1,
      run: ({ events }: JobContext, _input, { signal }) =>
        new Promise<void>(() => {
          signal.addEventListener('abort', () => events.push('aborted'));
        }),
      onFailed: async ({ events }: JobContext, _input, reason) => {
        events.push(reason);
      },
    });
    const events = await start([job]);
    await jobs.send(job, { label: 'x' });
    await expect.poll(() => events).toEqual(['aborted', '处理超时']);
  });

  it('runs in parallel up to its concurrency', async () => {
    let runningCount = 0;
    let maxRunning = 0;
    const mayEnd = Promise.withResolvers<void>();
    const job = defineJob({
      name: 'parallel',
      input,
      concurrency: 3,
      run: async ({ events }: JobContext, { label }) => {
        runningCount += 1;
        maxRunning = Math.max(maxRunning, runningCount);
        await mayEnd.promise;
        runningCount -= 1;
        events.push(label);
      },
    });
    const otherJob = recordingJob('beside');
    const events = await start([job, otherJob]);
    for (const label of ['a', 'b', 'c', 'd']) await jobs.send(job, { label });
    await expect.poll(() => runningCount).toBe(3);
    // A fourth worker would fetch its job before the worker of the other queue fetches these.
    for (const labels of [['first'], ['first', 'second']]) {
      await jobs.send(otherJob, { label: labels.at(-1) ?? '' });
      await expect.poll(() => events).toEqual(labels);
    }
    mayEnd.resolve();
    await expect.poll(() => events.length).toBe(6);
    expect(maxRunning).toBe(3);
  });

  it('starts directly after the jobs queued before it, without waiting for a poll', async () => {
    const job = recordingJob('backlog');
    await start([job], false);
    for (let index = 0; index < 50; index += 1) await jobs.send(job, { label: `${index}` });
    await jobs.stop();
    const events = await start([job], true, DAY_SECONDS);
    await expect.poll(() => events.length).toBe(50);
  });

  it('finishes before the program stops', async () => {
    const job = defineJob({
      name: 'unhurried',
      input,
      run: async ({ events }: JobContext) => {
        events.push('started');
        await sleep(1_000);
        events.push('done');
      },
    });
    const events = await start([job]);
    await jobs.send(job, { label: 'x' });
    await expect.poll(() => events).toEqual(['started']);
    await jobs.stop();
    expect(events).toEqual(['started', 'done']);
  });

  it('is rejected with wrong input, and when it is not registered', async () => {
    const job = recordingJob('known');
    await start([job], false);
    await expect(jobs.send(job, { label: 1 } as never)).rejects.toThrow();
    await expect(jobs.send(recordingJob('unknown'), { label: 'x' })).rejects.toThrow('job unknown is not registered');
    await expect(jobs.schedule(job, 'every tuesday', { label: 'x' }, { tz: 'UTC' })).rejects.toThrow();
  });

  it('keeps the queue from starting when it has two handlers or none', async () => {
    await expect(start([recordingJob('twin'), recordingJob('twin')])).rejects.toThrow('job twin has two handlers');
    const jobWithoutHandler = { name: 'idle', input } as unknown as ReturnType<typeof recordingJob>;
    await expect(start([jobWithoutHandler])).rejects.toThrow('job idle has no handler');
  });

  it('loses its schedule when it is no longer registered', async () => {
    const [oldJob, currentJob] = [recordingJob('old'), recordingJob('current')];
    await start([oldJob, currentJob]);
    await jobs.schedule(oldJob, '0 3 * * *', { label: 'x' }, { tz: 'UTC' });
    await jobs.schedule(currentJob, '0 3 * * *', { label: 'x' }, { tz: 'UTC' });
    await jobs.stop();
    await start([currentJob]);
    const { rows } = await pool.query('select name, timezone from pgboss.schedule');
    expect(rows).toEqual([{ name: 'current', timezone: 'UTC' }]);
  });

  it('gets changed retry and time limits after a restart', async () => {
    const job = recordingJob('limited');
    await start([{ ...job, retries: 1 }]);
    await jobs.stop();
    await start([{ ...job, retries: 4, timeoutSeconds: 60 }]);
    const { rows } = await pool.query("select retry_limit, expire_seconds from pgboss.queue where name = 'limited'");
    expect(rows).toEqual([{ retry_limit: 4, expire_seconds: 60 }]);
  });
});
