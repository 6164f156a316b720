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

const input = z.object({ what: z.string() });
type Seen = { seen: string[] };

/** Starts the queue with these jobs and gives what they noted. */
async function start(list: Parameters<typeof jobs.start<Seen>>[0], work = true) {
  const ctx: Seen = { seen: [] };
  jobs = createJobs({
    pool,
    log,
    timing: { heartbeatSeconds: 15, checkSeconds: 10, pollSeconds: 0.5 },
  });
  await jobs.start(list, ctx, { work });
  return ctx.seen;
}
const noting = (name: string) =>
  defineJob({
    name,
    input,
    run: async ({ seen }: Seen, { what }) => {
      seen.push(what);
    },
  });

describe('a job', () => {
  it('runs soon after it was sent, with the input that was sent', async () => {
    const job = noting('simple');
    const seen = await start([job]);
    const id = await jobs.send(job, { what: '文档' });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await expect.poll(() => seen).toEqual(['文档']);
  });

  it('exists only when the transaction it was sent in commits', async () => {
    const job = noting('transactional');
    const seen = await start([job]);
    const db = drizzle(pool);
    const rolledBack = db.transaction(async (tx) => {
      await jobs.send(job, { what: 'drizzle, rolled back' }, { db: tx });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    const client = await pool.connect();
    await client.query('begin');
    await jobs.send(job, { what: 'pg, rolled back' }, { db: client });
    await client.query('rollback');
    await client.query('begin');
    await jobs.send(job, { what: 'pg, committed' }, { db: client });
    await client.query('commit');
    client.release();
    await db.transaction(async (tx) => {
      await jobs.send(job, { what: 'drizzle, committed' }, { db: tx });
      await sleep(300);
      expect(seen).not.toContain('drizzle, committed');
    });
    await expect.poll(() => seen).toEqual(['pg, committed', 'drizzle, committed']);
  });

  it('waits once for each key, however often it is sent', async () => {
    const job = noting('keyed');
    await start([job], false);
    const ids = [
      await jobs.send(job, { what: 'one' }, { key: 'document-1' }),
      await jobs.send(job, { what: 'one again' }, { key: 'document-1' }),
      await jobs.send(job, { what: 'two' }, { key: 'document-2' }),
      await jobs.send(job, { what: 'no key' }),
      await jobs.send(job, { what: 'no key either' }),
    ];
    expect(ids.map((id) => id !== null)).toEqual([true, false, true, true, true]);
    await jobs.stop();
    const seen = await start([job]);
    await expect.poll(() => seen.length).toBe(4);
    expect(seen).not.toContain('one again');
  });

  it('goes first with a higher priority, and not before its time', async () => {
    const job = noting('ordered');
    await start([job], false);
    await jobs.send(job, { what: 'later' }, { startAfter: new Date(Date.now() + 3_600_000) });
    await jobs.send(job, { what: 'ordinary' });
    await jobs.send(job, { what: 'urgent' }, { priority: 10 });
    await jobs.stop();
    const seen = await start([job]);
    await expect.poll(() => seen).toEqual(['urgent', 'ordinary']);
  });

  it('is tried three times, then given up once, with the reason of the last failure', async () => {
    const job = defineJob({
      name: 'hopeless',
      input,
      retryDelay: 0,
      run: async ({ seen }: Seen, { what }, { attempt }) => {
        seen.push(`${what} ${attempt}`);
        throw new Error(`第 ${attempt} 次失败`);
      },
      giveUp: async ({ seen }: Seen, { what }, reason) => {
        seen.push(`${what} 放弃：${reason}`);
      },
    });
    const seen = await start([job]);
    await jobs.send(job, { what: 'x' });
    const all = ['x 1', 'x 2', 'x 3', 'x 放弃：第 3 次失败'];
    await expect.poll(() => seen).toEqual(all);
    await sleep(1_200);
    expect(seen).toEqual(all);
  });

  it('is not given up when a later try succeeds', async () => {
    const job = defineJob({
      name: 'flaky',
      input,
      retryDelay: 0,
      run: async ({ seen }: Seen, _input, { attempt }) => {
        seen.push(`try ${attempt}`);
        if (attempt < 2) throw new Error('not yet');
      },
      giveUp: async ({ seen }: Seen) => {
        seen.push('given up');
      },
    });
    const seen = await start([job]);
    await jobs.send(job, { what: 'x' });
    await expect.poll(() => seen).toEqual(['try 1', 'try 2']);
    await sleep(1_200);
    expect(seen).toEqual(['try 1', 'try 2']);
  });

  it('is stopped by its time limit and then says so in words', async () => {
    const job = defineJob({
      name: 'endless',
      input,
      retries: 0,
      timeout: 1,
      run: ({ seen }: Seen, _input, { signal }) =>
        new Promise<void>(() => {
          signal.addEventListener('abort', () => seen.push('aborted'));
        }),
      giveUp: async ({ seen }: Seen, _input, reason) => {
        seen.push(reason);
      },
    });
    const seen = await start([job]);
    await jobs.send(job, { what: 'x' });
    await expect.poll(() => seen).toEqual(['aborted', '处理超时']);
  });

  it('runs as many at once as allowed', async () => {
    let running = 0;
    let most = 0;
    const job = defineJob({
      name: 'parallel',
      input,
      concurrency: 3,
      run: async ({ seen }: Seen, { what }) => {
        running += 1;
        most = Math.max(most, running);
        await sleep(1_000);
        running -= 1;
        seen.push(what);
      },
    });
    const seen = await start([job]);
    for (const what of ['a', 'b', 'c', 'd']) await jobs.send(job, { what });
    await expect.poll(() => seen.length).toBe(4);
    expect(most).toBe(3);
  });

  it('does not wait its turn longer than the jobs before it take', async () => {
    const job = noting('backlog');
    const seen = await start([job]);
    const begin = Date.now();
    for (let sent = 0; sent < 50; sent += 1) await jobs.send(job, { what: `${sent}` });
    await expect.poll(() => seen.length).toBe(50);
    // Far less than the interval at which queues are looked at, for each of them.
    expect(Date.now() - begin).toBeLessThan(50_000);
  });

  it('is finished before the program stops', async () => {
    const job = defineJob({
      name: 'unhurried',
      input,
      run: async ({ seen }: Seen) => {
        seen.push('begun');
        await sleep(1_000);
        seen.push('done');
      },
    });
    const seen = await start([job]);
    await jobs.send(job, { what: 'x' });
    await expect.poll(() => seen).toEqual(['begun']);
    await jobs.stop();
    expect(seen).toEqual(['begun', 'done']);
  });

  it('is refused with wrong input, and when nothing would run it', async () => {
    const job = noting('known');
    await start([job], false);
    await expect(jobs.send(job, { what: 1 } as never)).rejects.toThrow();
    await expect(jobs.send(noting('unknown'), { what: 'x' })).rejects.toThrow('job unknown is not registered');
    await expect(jobs.schedule(job, 'every tuesday', { what: 'x' }, { tz: 'UTC' })).rejects.toThrow();
  });

  it('has exactly one handler, or the program does not start', async () => {
    await expect(start([noting('twin'), noting('twin')])).rejects.toThrow('job twin has two handlers');
    const idle = { name: 'idle', input } as unknown as ReturnType<typeof noting>;
    await expect(start([idle])).rejects.toThrow('job idle has no handler');
  });

  it('loses its schedule when the program no longer has it', async () => {
    const [old, current] = [noting('old'), noting('current')];
    await start([old, current]);
    await jobs.schedule(old, '0 3 * * *', { what: 'x' }, { tz: 'UTC' });
    await jobs.schedule(current, '0 3 * * *', { what: 'x' }, { tz: 'UTC' });
    await jobs.stop();
    await start([current]);
    const { rows } = await pool.query('select name, timezone from pgboss.schedule');
    expect(rows).toEqual([{ name: 'current', timezone: 'UTC' }]);
  });
});
