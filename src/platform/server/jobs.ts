import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { fromDrizzle, type JobWithMetadata, PgBoss, type Job as QueuedJob } from 'pg-boss';
import * as z from 'zod/mini';
import { failureQueueOf, failureReason } from './job-failure.ts';
import type { Log } from './log.ts';

export type Job<Ctx, Input extends object> = {
  name: string;
  input: z.core.$ZodType<Input>;
  /** How often it is tried again after the first attempt; a killed worker uses up an attempt too. */
  retries?: number;
  /** Seconds before the next try. Up to 15 a killed worker's job is still finished within 60 s. */
  retryDelay?: number;
  /** Seconds one attempt may take. */
  timeout?: number;
  /** How many run at once in one process. */
  concurrency?: number;
  /** Must stand being repeated: a worker can die after the work and before the note that it is done. */
  run(ctx: Ctx, input: Input, attempt: { signal: AbortSignal; attempt: number }): Promise<void>;
  /** Called once the last attempt has failed; `reason` can be shown to a person. */
  giveUp?(ctx: Ctx, input: Input, reason: string): Promise<void>;
};

/** `signal` aborts when the time is up, the program stops, or another worker has taken the job over. */
export const defineJob = <Ctx, Input extends object>(job: Job<Ctx, Input>): Job<Ctx, Input> => job;

/** A Drizzle database or transaction, or a `pg` client inside a transaction. */
type Executor = Pick<NodePgDatabase, 'execute'> | Pick<pg.ClientBase, 'query'>;

type SendOptions = {
  /** Sent in this transaction: the job exists when it commits and never otherwise. */
  db?: Executor;
  /** While a job with the same key waits, another is not added. */
  key?: string;
  /** Higher goes first. */
  priority?: number;
  startAfter?: Date;
};

export type Jobs = {
  /** `work: false` for a process that only sends. */
  start<Ctx>(
    jobs: readonly Job<Ctx, object>[],
    ctx: Ctx,
    options: { work: boolean },
  ): Promise<void>;
  /** The job's id, or null when one with the same key is already waiting. */
  send<Ctx, Input extends object>(
    job: Job<Ctx, Input>,
    input: Input,
    options?: SendOptions,
  ): Promise<string | null>;
  /** Runs it by the clock, once for all processes. The last call for a job counts. */
  schedule<Ctx, Input extends object>(
    job: Job<Ctx, Input>,
    cron: string,
    input: Input,
    options?: { tz?: string },
  ): Promise<void>;
  /** Takes no more work and waits for what is running, but not longer than the limit. */
  stop(limitSeconds?: number): Promise<void>;
};

/**
 * A worker that dies stops its heartbeat. After `heartbeat` seconds without one, the next check hands
 * the job on: 15 + 2 × 10 + 5 until the next poll = 40 s at worst, against the promised 60.
 */
const defaultRecovery = { heartbeatSeconds: 15, checkSeconds: 10 };
const pollSeconds = 5;
const keepFinishedSeconds = 86_400;

export function createJobs(options: {
  pool: pg.Pool;
  log: Log;
  recovery?: typeof defaultRecovery;
}): Jobs {
  const { pool, log, recovery = defaultRecovery } = options;
  const registered = new Set<string>();
  let boss: PgBoss | null = null;

  const started = (name: string): PgBoss => {
    if (!boss) throw new Error(`job ${name}: the queue is not started`);
    if (!registered.has(name))
      throw new Error(`job ${name} is not registered, nothing would run it`);
    return boss;
  };

  async function ensureQueue(queue: PgBoss, job: Job<never, object>) {
    const common = {
      heartbeatSeconds: recovery.heartbeatSeconds,
      deleteAfterSeconds: keepFinishedSeconds,
      notify: true,
    };
    const failures = { ...common, retryLimit: 10, retryDelay: 5 };
    const settings = {
      ...common,
      retryLimit: job.retries ?? 2,
      retryDelay: job.retryDelay ?? 0,
      expireInSeconds: job.timeout ?? 900,
      deadLetter: failureQueueOf(job.name),
    };
    await queue.createQueue(failureQueueOf(job.name), failures);
    // `short`: one waiting job per key. A running one does not count, it may have read old data.
    await queue.createQueue(job.name, { ...settings, policy: 'short' });
    await queue.updateQueue(failureQueueOf(job.name), failures);
    await queue.updateQueue(job.name, settings);
  }

  async function workOn<Ctx>(queue: PgBoss, job: Job<Ctx, object>, ctx: Ctx) {
    const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: pollSeconds };
    const workers = { ...polling, localConcurrency: job.concurrency ?? 1 };
    await queue.work(job.name, workers, async ([taken]: QueuedJob<object>[]) => {
      if (!taken) return;
      const attempt = taken.retryCount + 1;
      const about = { job: job.name, id: taken.id, attempt };
      try {
        const input = z.parse(job.input, taken.data);
        await job.run(ctx, input, { signal: taken.signal, attempt });
        log.debug(about, 'job done');
      } catch (error) {
        log.warn({ ...about, err: error }, 'job attempt failed');
        throw error;
      }
    });
    const metadata = { ...polling, includeMetadata: true } as const;
    await queue.work(
      failureQueueOf(job.name),
      metadata,
      async ([failed]: JobWithMetadata<object>[]) => {
        if (!failed) return;
        const reason = failureReason(failed.sourceOutput);
        log.error({ job: job.name, id: failed.sourceId, reason }, 'job given up');
        await job.giveUp?.(ctx, z.parse(job.input, failed.data), reason);
      },
    );
  }

  return {
    async start(jobs, ctx, { work }) {
      if (boss) throw new Error('the queue is already started');
      refuseUnclear(jobs);
      const { connectionString, host, port, user, password, database, ssl } = pool.options;
      boss = new PgBoss({
        // Connections of its own: a busy site must not hold up a heartbeat.
        ...{ connectionString, host, port, user, database, ssl, max: 4 },
        ...(typeof password === 'string' ? { password } : {}),
        application_name: 'douku-jobs',
        schema: 'pgboss',
        supervise: work,
        schedule: work,
        useListenNotify: work,
        superviseIntervalSeconds: recovery.checkSeconds,
        monitorIntervalSeconds: recovery.checkSeconds,
      });
      boss.on('error', (error) => log.error({ err: error }, 'job queue'));
      boss.on('warning', ({ message, data }) => log.warn({ data }, message));
      await boss.start();
      for (const job of jobs) {
        await ensureQueue(boss, job);
        registered.add(job.name);
      }
      if (!work) return;
      for (const { name, key } of await boss.getSchedules())
        if (!registered.has(name)) await boss.unschedule(name, key);
      for (const job of jobs) await workOn(boss, job, ctx);
    },
    async send(job, input, { db, key, priority, startAfter } = {}) {
      return started(job.name).send(job.name, z.parse(job.input, input), {
        singletonKey: key ?? randomUUID(),
        ...(db && { db: executorFor(db) }),
        ...(priority !== undefined && { priority }),
        ...(startAfter && { startAfter }),
      });
    },
    async schedule(job, cron, input, { tz = 'Asia/Shanghai' } = {}) {
      await started(job.name).schedule(job.name, cron, z.parse(job.input, input), { tz });
    },
    async stop(limitSeconds = 20) {
      await boss?.stop({ graceful: true, timeout: limitSeconds * 1000 });
      boss = null;
      registered.clear();
    },
  };
}

function refuseUnclear(jobs: readonly Job<never, object>[]) {
  const names = jobs.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`job ${twice} has two handlers`);
  const idle = jobs.find(({ run }) => typeof run !== 'function');
  if (idle) throw new Error(`job ${idle.name} has no handler`);
}

const executorFor = (db: Executor) =>
  'execute' in db
    ? fromDrizzle(db, sql)
    : { executeSql: (text: string, values?: unknown[]) => db.query(text, values) };
