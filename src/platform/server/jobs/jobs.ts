import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { fromDrizzle, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss';
import * as z from 'zod/mini';
import type { Log } from '../log.ts';
import { failureQueueName, failureReason } from './job-failure.ts';

export type Job<Ctx, Input extends object> = {
  name: string;
  input: z.core.$ZodType<Input>;
  /** Retries after the first attempt. The death of a worker counts as a failed attempt. */
  retries?: number;
  /** Pause before a retry, 5 by default. Up to 20, the job of a killed worker still restarts within 60 s. */
  retryDelaySeconds?: number;
  /** Time limit of one attempt. */
  timeoutSeconds?: number;
  /** Maximum number of parallel runs in one process. */
  concurrency?: number;
  /** Must be idempotent: a worker can die between finishing the work and recording that. */
  run(ctx: Ctx, input: Input, attempt: { signal: AbortSignal; attempt: number }): Promise<void>;
  /** Called once after the last attempt failed; `reason` can be shown to users. */
  onFailed?(ctx: Ctx, input: Input, reason: string): Promise<void>;
};

/** Abort reason of a job's signal when the program stops, so that a long job can requeue itself. */
export class JobsStopping extends Error {
  override name = 'JobsStopping';
}

/** The signal of a job aborts at its time limit, when the program stops, or when another worker took over the job. */
export const defineJob = <Ctx, Input extends object>(job: Job<Ctx, Input>): Job<Ctx, Input> => job;

/** A Drizzle database or transaction, or a `pg` client inside a transaction. */
type Executor = Pick<NodePgDatabase, 'execute'> | Pick<pg.ClientBase, 'query'>;

type SendOptions = {
  /** The job is sent in this transaction and exists only if the transaction commits. */
  db?: Executor;
  /** While a job with the same key waits, no other is queued. */
  key?: string;
  /** Jobs with a higher priority run first. */
  priority?: number;
  startAfter?: Date;
};

export type Jobs = {
  /** `runJobs: false` for a process that only sends jobs. */
  start<Ctx>(jobs: readonly Job<Ctx, object>[], ctx: Ctx, options: { runJobs: boolean }): Promise<void>;
  /** Returns the id of the job, or null if a job with the same key is already waiting. */
  send<Ctx, Input extends object>(job: Job<Ctx, Input>, input: Input, options?: SendOptions): Promise<string | null>;
  /** Schedules a job once for all processes. Replaces an earlier schedule of the job. */
  schedule<Ctx, Input extends object>(
    job: Job<Ctx, Input>,
    cron: string,
    input: Input,
    options: { tz: string },
  ): Promise<void>;
  /** Starts no more jobs and waits for running ones up to the limit. */
  stop(limitSeconds?: number): Promise<void>;
};

/**
 * A dead worker sends no heartbeats. After 15 s without one, the next check requeues the job: 15 + 2 × 10 + 5 until the
 * next poll = at most 40 s; the limit is 60 s. New jobs do not wait for a poll: workers are notified.
 */
const DEFAULT_TIMING = { heartbeatSeconds: 15, checkSeconds: 10, pollSeconds: 5 };
const FINISHED_JOB_TTL_SECONDS = 86_400;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export function createJobs(options: { pool: pg.Pool; log: Log; timing?: typeof DEFAULT_TIMING }): Jobs {
  const { pool, log, timing = DEFAULT_TIMING } = options;
  const registeredNames = new Set<string>();
  let boss: PgBoss | null = null;
  let stopController = new AbortController();

  const bossFor = (name: string): PgBoss => {
    if (!boss) throw new Error(`job ${name}: the queue is not started`);
    if (!registeredNames.has(name)) throw new Error(`job ${name} is not registered`);
    return boss;
  };

  const queuesOf = (job: Job<never, object>): Queue[] => {
    const common = {
      heartbeatSeconds: timing.heartbeatSeconds,
      deleteAfterSeconds: FINISHED_JOB_TTL_SECONDS,
      notify: true,
    };
    const failureQueue = failureQueueName(job.name);
    return [
      { ...common, name: failureQueue, policy: 'standard', retryLimit: 10, retryDelay: 5 },
      {
        ...common,
        name: job.name,
        // One waiting job per key. A running job does not count: it may have read old data.
        policy: 'short',
        retryLimit: job.retries ?? 2,
        retryDelay: job.retryDelaySeconds ?? 5,
        expireInSeconds: job.timeoutSeconds ?? 900,
        deadLetter: failureQueue,
      },
    ];
  };

  /** Creates missing queues and updates those whose settings differ: mostly there are none. */
  async function ensureQueues(boss: PgBoss, queues: Queue[]) {
    const existingQueues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
    for (const queue of queues) {
      // The policy of an existing queue cannot be changed.
      const { name, policy: _policy, ...settings } = queue;
      const current = existingQueues.get(name);
      if (!current) await boss.createQueue(name, queue);
      else if (hasOtherSettings(current, settings)) await boss.updateQueue(name, settings);
    }
  }

  /** Adds a worker that fetches the next job immediately: by default pg-boss pauses after each job. */
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

  async function addWorkers<Ctx>(queue: PgBoss, job: Job<Ctx, object>, ctx: Ctx) {
    const run = async ({ id, data, retryCount, signal }: JobWithMetadata<object>) => {
      const attempt = retryCount + 1;
      try {
        const abortSignal = AbortSignal.any([signal, stopController.signal]);
        await job.run(ctx, z.parse(job.input, data), { signal: abortSignal, attempt });
        log.debug({ job: job.name, id, attempt }, 'job done');
      } catch (error) {
        log.warn({ job: job.name, id, attempt, err: error }, 'job attempt failed');
        throw error;
      }
    };
    const reportFailure = async ({ sourceId, sourceOutput, data }: JobWithMetadata<object>) => {
      const reason = failureReason(sourceOutput);
      log.error({ job: job.name, id: sourceId, reason }, 'job failed after its last attempt');
      await job.onFailed?.(ctx, z.parse(job.input, data), reason);
    };
    for (let worker = 0; worker < (job.concurrency ?? 1); worker += 1) await addWorker(queue, job.name, run);
    await addWorker(queue, failureQueueName(job.name), reportFailure);
  }

  return {
    async start(jobs, ctx, { runJobs }) {
      if (boss) throw new Error('the queue is already started');
      assertOneHandlerEach(jobs);
      const { connectionString, host, port, user, password, database, ssl } = pool.options;
      boss = new PgBoss({
        // Separate connections: a busy pool must not delay heartbeats.
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
        supervise: runJobs,
        schedule: runJobs,
        useListenNotify: runJobs,
        superviseIntervalSeconds: timing.checkSeconds,
        monitorIntervalSeconds: timing.checkSeconds,
      });
      boss.on('error', (error) => log.error({ err: error }, 'the job queue reported an error'));
      boss.on('warning', ({ message, data }) => log.warn({ data }, message));
      await boss.start();
      await ensureQueues(boss, jobs.flatMap(queuesOf));
      for (const { name } of jobs) registeredNames.add(name);
      if (!runJobs) return;
      for (const { name, key } of await boss.getSchedules())
        if (!registeredNames.has(name)) await boss.unschedule(name, key);
      for (const job of jobs) await addWorkers(boss, job, ctx);
    },
    async send(job, input, { db, key, priority, startAfter } = {}) {
      return bossFor(job.name).send(job.name, z.parse(job.input, input), {
        singletonKey: key ?? randomUUID(),
        ...(db && { db: toPgBossExecutor(db) }),
        ...(priority !== undefined && { priority }),
        ...(startAfter && { startAfter }),
      });
    },
    async schedule(job, cron, input, { tz }) {
      await bossFor(job.name).schedule(job.name, cron, z.parse(job.input, input), { tz });
    },
    async stop(limitSeconds = 20) {
      stopController.abort(new JobsStopping('the program is stopping'));
      await boss?.stop({ graceful: true, timeout: limitSeconds * 1000 });
      boss = null;
      stopController = new AbortController();
      registeredNames.clear();
    },
  };
}

const hasOtherSettings = (queue: Queue, settings: Omit<Queue, 'name'>): boolean =>
  (Object.keys(settings) as (keyof typeof settings)[]).some((key) => queue[key] !== settings[key]);

function assertOneHandlerEach(jobs: readonly Job<never, object>[]) {
  const names = jobs.map(({ name }) => name);
  const duplicateName = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicateName !== undefined) throw new Error(`job ${duplicateName} has two handlers`);
  const jobWithoutHandler = jobs.find(({ run }) => typeof run !== 'function');
  if (jobWithoutHandler) throw new Error(`job ${jobWithoutHandler.name} has no handler`);
}

const toPgBossExecutor = (db: Executor) =>
  'execute' in db ? fromDrizzle(db, sql) : { executeSql: (text: string, values?: unknown[]) => db.query(text, values) };
