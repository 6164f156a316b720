import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { fromDrizzle, type JobWithMetadata, PgBoss } from 'pg-boss';
import * as z from 'zod/mini';
import type { Log } from '../log.ts';
import { failureQueueOf, failureReason } from './job-failure.ts';

export type Job<Ctx, Input extends object> = {
  name: string;
  input: z.core.$ZodType<Input>;
  /** How often it is tried again after the first attempt; a killed worker uses up an attempt too. */
  retries?: number;
  /** Seconds before the next try, 5 by default. With up to 20 a killed worker's job still goes on within 60 s. */
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

/** Why a signal was aborted: the program stops. Long work may hand itself on and end in peace. */
export class JobsStopping extends Error {
  override name = 'JobsStopping';
}

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
  start<Ctx>(jobs: readonly Job<Ctx, object>[], ctx: Ctx, options: { work: boolean }): Promise<void>;
  /** The job's id, or null when one with the same key is already waiting. */
  send<Ctx, Input extends object>(job: Job<Ctx, Input>, input: Input, options?: SendOptions): Promise<string | null>;
  /** Runs it by the clock, once for all processes. The last call for a job counts. */
  schedule<Ctx, Input extends object>(
    job: Job<Ctx, Input>,
    cron: string,
    input: Input,
    options: { tz: string },
  ): Promise<void>;
  /** Takes no more work and waits for what is running, but not longer than the limit. */
  stop(limitSeconds?: number): Promise<void>;
};

/**
 * A worker that dies stops its heartbeat. After 15 s without one, the next check hands the job on:
 * 15 + 2 × 10 + 5 until the next poll = 40 s at worst, against the promised 60. New jobs do not wait
 * for the poll: they are announced.
 */
const defaultTiming = { heartbeatSeconds: 15, checkSeconds: 10, pollSeconds: 5 };
const keepFinishedSeconds = 86_400;

export function createJobs(options: { pool: pg.Pool; log: Log; timing?: typeof defaultTiming }): Jobs {
  const { pool, log, timing = defaultTiming } = options;
  const registered = new Set<string>();
  let boss: PgBoss | null = null;
  let stopping = new AbortController();

  const started = (name: string): PgBoss => {
    if (!boss) throw new Error(`job ${name}: the queue is not started`);
    if (!registered.has(name)) throw new Error(`job ${name} is not registered, nothing would run it`);
    return boss;
  };

  async function ensureQueue(queue: PgBoss, job: Job<never, object>) {
    const common = {
      heartbeatSeconds: timing.heartbeatSeconds,
      deleteAfterSeconds: keepFinishedSeconds,
      notify: true,
    };
    const failures = { ...common, retryLimit: 10, retryDelay: 5 };
    const settings = {
      ...common,
      retryLimit: job.retries ?? 2,
      retryDelay: job.retryDelay ?? 5,
      expireInSeconds: job.timeout ?? 900,
      deadLetter: failureQueueOf(job.name),
    };
    await queue.createQueue(failureQueueOf(job.name), failures);
    // `short`: one waiting job per key. A running one does not count, it may have read old data.
    await queue.createQueue(job.name, { ...settings, policy: 'short' });
    await queue.updateQueue(failureQueueOf(job.name), failures);
    await queue.updateQueue(job.name, settings);
  }

  /** One taker of jobs. Left to itself it would rest after each job, however many wait. */
  async function addWorker(queue: PgBoss, name: string, handle: (job: JobWithMetadata<object>) => Promise<void>) {
    let id = '';
    const options = {
      includeMetadata: true,
      pollingIntervalSeconds: timing.pollSeconds,
      notifyPollingIntervalSeconds: timing.pollSeconds,
    } as const;
    id = await queue.work(name, options, async ([job]: JobWithMetadata<object>[]) => {
      queue.notifyWorker(id);
      if (job) await handle(job);
    });
  }

  async function workOn<Ctx>(queue: PgBoss, job: Job<Ctx, object>, ctx: Ctx) {
    const run = async ({ id, data, retryCount, signal }: JobWithMetadata<object>) => {
      const attempt = retryCount + 1;
      try {
        const either = AbortSignal.any([signal, stopping.signal]);
        await job.run(ctx, z.parse(job.input, data), { signal: either, attempt });
        log.debug({ job: job.name, id, attempt }, 'job done');
      } catch (error) {
        log.warn({ job: job.name, id, attempt, err: error }, 'job attempt failed');
        throw error;
      }
    };
    const giveUp = async ({ sourceId, sourceOutput, data }: JobWithMetadata<object>) => {
      const reason = failureReason(sourceOutput);
      log.error({ job: job.name, id: sourceId, reason }, 'job given up');
      await job.giveUp?.(ctx, z.parse(job.input, data), reason);
    };
    for (let worker = 0; worker < (job.concurrency ?? 1); worker += 1) await addWorker(queue, job.name, run);
    await addWorker(queue, failureQueueOf(job.name), giveUp);
  }

  return {
    async start(jobs, ctx, { work }) {
      if (boss) throw new Error('the queue is already started');
      refuseUnclear(jobs);
      const { connectionString, host, port, user, password, database, ssl } = pool.options;
      boss = new PgBoss({
        // Connections of its own: a busy site must not hold up a heartbeat.
        connectionString,
        host,
        port,
        user,
        database,
        ssl,
        max: 4,
        ...(typeof password === 'string' ? { password } : {}),
        application_name: 'douku-jobs',
        schema: 'pgboss',
        supervise: work,
        schedule: work,
        useListenNotify: work,
        superviseIntervalSeconds: timing.checkSeconds,
        monitorIntervalSeconds: timing.checkSeconds,
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
    async schedule(job, cron, input, { tz }) {
      await started(job.name).schedule(job.name, cron, z.parse(job.input, input), { tz });
    },
    async stop(limitSeconds = 20) {
      stopping.abort(new JobsStopping('the program stops'));
      await boss?.stop({ graceful: true, timeout: limitSeconds * 1000 });
      boss = null;
      stopping = new AbortController();
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
  'execute' in db ? fromDrizzle(db, sql) : { executeSql: (text: string, values?: unknown[]) => db.query(text, values) };
