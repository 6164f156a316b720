import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { deliverEvents, type EventConsumer, startEventDelivery } from '#platform/server/events/deliver-events.ts';
import { events } from '#platform/server/events/event.table.ts';
import { recordEvents } from '#platform/server/events/record-events.ts';
import { testApp } from '#testing/test-app.ts';

const { ctx, pool } = await testApp({ env: { LOG_LEVEL: 'silent' }, deliversEvents: false });
let nextId = 1_000_000;
const newId = () => nextId++;

const record = (type: string, ...ids: number[]) => recordEvents(ctx, 'rendition', type, ids);

function createConsumer(name: string, handle: EventConsumer['handle'] = async () => {}) {
  const calls: [id: number, types: string[]][] = [];
  const consumer: EventConsumer = {
    name,
    subject: 'rendition',
    handle: async (ctx, changes) => {
      await handle(ctx, changes);
      for (const { id, types } of changes) calls.push([id, types]);
    },
  };
  return { consumer, calls };
}
const countEvents = async () => (await ctx.db.select().from(events)).length;

beforeEach(async () => {
  await ctx.db.delete(events);
});

test('each consumer gets the events of a subject in order, and delivered events are deleted', async () => {
  const [first, second] = [createConsumer('first'), createConsumer('second')];
  const [a, b] = [newId(), newId()];
  await record('created', a, b);
  await record('changed', a);
  expect(await deliverEvents(ctx, [first.consumer, second.consumer])).toBe(2);
  for (const { calls } of [first, second])
    expect(calls).toEqual([
      [a, ['created', 'changed']],
      [b, ['created']],
    ]);
  expect(await countEvents()).toBe(0);
});

test('an event of a transaction that is rolled back is not delivered', async () => {
  const { consumer, calls } = createConsumer('only');
  const failingChange = inTransaction(ctx, async (ctx) => {
    await recordEvents(ctx, 'rendition', 'changed', [newId()]);
    throw new Error('rolled back');
  });
  await expect(failingChange).rejects.toThrow('rolled back');
  await deliverEvents(ctx, [consumer]);
  expect(calls).toEqual([]);
});

test('a failing consumer delays neither other consumers nor other subjects, and gets its event again later', async () => {
  const [brokenId, healthyId] = [newId(), newId()];
  let isFixed = false;
  const fragile = createConsumer('fragile', async (_ctx, changes) => {
    if (!isFixed && changes.some(({ id }) => id === brokenId)) throw new Error('cannot handle this one');
  });
  const reliable = createConsumer('reliable');
  await record('changed', brokenId, healthyId);
  await deliverEvents(ctx, [fragile.consumer, reliable.consumer]);
  expect(fragile.calls).toEqual([[healthyId, ['changed']]]);
  expect(reliable.calls.map(([id]) => id)).toEqual([brokenId, healthyId]);

  isFixed = true;
  await deliverEvents(ctx, [fragile.consumer, reliable.consumer]);
  expect(fragile.calls).toHaveLength(1);
  await ctx.db.update(events).set({ retry_at: sql`now()` });
  await deliverEvents(ctx, [fragile.consumer, reliable.consumer]);
  expect(fragile.calls).toEqual([
    [healthyId, ['changed']],
    [brokenId, ['changed']],
  ]);
  expect(reliable.calls).toHaveLength(2);
  expect(await countEvents()).toBe(0);
});

test('a failed consumer leaves none of its changes', async () => {
  const { consumer } = createConsumer('half', async ({ db }) => {
    await db.execute(sql`insert into site_secrets (name) values ('half')`);
    throw new Error('after the first change');
  });
  await record('changed', newId());
  await deliverEvents(ctx, [consumer]);
  const { rows } = await ctx.db.execute(sql`select 1 from site_secrets where name = 'half'`);
  expect(rows).toEqual([]);
});

test('events of a process that dies during the delivery are delivered by another one', async () => {
  const id = newId();
  await record('changed', id);
  const dyingNode = createConsumer('same', ({ db }) =>
    db.execute(sql`select pg_terminate_backend(pg_backend_pid())`).then(),
  );
  await expect(deliverEvents(ctx, [dyingNode.consumer])).rejects.toThrow();
  const other = createConsumer('same');
  await deliverEvents(ctx, [other.consumer]);
  expect(other.calls).toEqual([[id, ['changed']]]);
});

test('two nodes never handle one subject at the same time, and each event is delivered once', async () => {
  const ids = Array.from({ length: 30 }, newId);
  for (const type of ['first', 'second', 'third']) await record(type, ...ids);
  const handledNow = new Set<number>();
  let overlaps = 0;
  const handle = async (_ctx: Context, changes: { id: number }[]) => {
    for (const { id } of changes) {
      if (handledNow.has(id)) overlaps++;
      handledNow.add(id);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const { id } of changes) handledNow.delete(id);
  };
  const [nodeA, nodeB] = [createConsumer('same', handle), createConsumer('same', handle)];
  await Promise.all([nodeA, nodeB].map(({ consumer }) => deliverEvents(ctx, [consumer])));
  await deliverEvents(ctx, [nodeA.consumer]);
  expect(overlaps).toBe(0);
  const types = [...nodeA.calls, ...nodeB.calls].flatMap(([, types]) => types);
  expect(types).toHaveLength(90);
});

test('a running delivery delivers an event as soon as its transaction commits', async () => {
  const { consumer, calls } = createConsumer('live');
  const delivery = startEventDelivery(ctx, [consumer]);
  const id = newId();
  await inTransaction(ctx, async (ctx) => {
    await recordEvents(ctx, 'rendition', 'changed', [id]);
    expect(calls).toEqual([]);
  });
  await expect.poll(() => calls).toEqual([[id, ['changed']]]);
  await delivery.stop();
});

test('a delivery that is stopped leaves the remaining events for later', async () => {
  const { consumer, calls } = createConsumer('slow');
  await record('changed', ...Array.from({ length: 450 }, newId));
  let batchCount = 0;
  await deliverEvents(ctx, [consumer], () => batchCount++ >= 1);
  expect(calls).toHaveLength(200);
  expect(await countEvents()).toBe(250);
});

test('events that keep failing do not delay new ones', async () => {
  const fragile = createConsumer('fragile', async (_ctx, changes) => {
    if (changes.some(({ id }) => failingIds.has(id))) throw new Error('always');
  });
  const failingIds = new Set(Array.from({ length: 300 }, newId));
  await record('changed', ...failingIds);
  await deliverEvents(ctx, [fragile.consumer]);
  await ctx.db.update(events).set({ retry_at: sql`now()` });
  const id = newId();
  await record('changed', id);
  await deliverEvents(ctx, [fragile.consumer]);
  expect(fragile.calls).toEqual([[id, ['changed']]]);
  expect(await countEvents()).toBe(300);
});

test('a consumer that waits for a row that another transaction has locked gets the event again', async () => {
  const locker = await pool.connect();
  await locker.query(`insert into site_secrets (name) values ('locked')`);
  await locker.query('begin');
  await locker.query(`select 1 from site_secrets where name = 'locked' for update`);
  const updater = createConsumer('waiting', ({ db }) =>
    db.execute(sql`update site_secrets set value = value where name = 'locked'`).then(),
  );
  const id = newId();
  await record('changed', id);
  await deliverEvents(ctx, [updater.consumer]);
  expect([updater.calls, await countEvents()]).toEqual([[], 1]);
  await locker.query('commit');
  locker.release();
  await ctx.db.update(events).set({ retry_at: sql`now()` });
  await deliverEvents(ctx, [updater.consumer]);
  expect([updater.calls, await countEvents()]).toEqual([[[id, ['changed']]], 0]);
});
