import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import type { QueueLevel } from './conversion.contract.ts';
import {
  type ConversionPool,
  doOtherConversionsWait,
  findBackgroundCandidates,
  findForegroundCandidates,
  prioritizeConversion,
} from './conversion-queue.ts';
import { registerRendition } from './register-rendition.ts';
import { renditions } from './rendition.table.ts';
import { findRendition, takeLease } from './rendition.ts';

const { ctx } = await testApp();
const [mei, lin] = [await newMember(ctx), await newMember(ctx)];
const SMALL = 80;
const LARGE = 5_000_000;

beforeEach(() => ctx.db.update(renditions).set({ convert_after: null, claimed_at: null }));

const add = async (user: { id: number }, size: number) => {
  const hash = randomBytes(32).toString('hex');
  return (await registerRendition(ctx, { hash, format: 'pdf', size, userId: user.id })).id;
};
const setLevel = (id: number, queue_level: 1 | 2) =>
  ctx.db.update(renditions).set({ queue_level }).where(eq(renditions.id, id));

/** Claims all documents in the order in which a single worker would. */
async function claimAll(): Promise<number[]> {
  const order: number[] = [];
  for (;;) {
    const [id] = await findForegroundCandidates(ctx);
    if (id === undefined) return order;
    const lease = await takeLease(ctx, id, () => {});
    await lease?.release({ convert_after: null });
    order.push(id);
  }
}

test('documents of one user are claimed in the order of upload, also after earlier ones are finished', async () => {
  const first = [await add(mei, SMALL), await add(mei, SMALL), await add(mei, SMALL)];
  const lease = await takeLease(ctx, first[0] ?? 0, () => {});
  await lease?.release({ convert_after: null });
  const later = [await add(mei, SMALL), await add(mei, SMALL)];
  expect(await claimAll()).toEqual([...first.slice(1), ...later]);
});

test('a small file is claimed before large ones that were uploaded earlier', async () => {
  const large = [await add(mei, LARGE), await add(mei, LARGE)];
  const small = await add(lin, SMALL);
  expect(await claimAll()).toEqual([small, ...large]);
});

test('documents of two users are claimed alternately although one user has uploaded more files before', async () => {
  const filesOfMei = [];
  for (let index = 0; index < 5; index++) filesOfMei.push(await add(mei, SMALL));
  const filesOfLin = [await add(lin, SMALL), await add(lin, SMALL)];
  expect(await claimAll()).toEqual([
    filesOfMei[0],
    filesOfLin[0],
    filesOfMei[1],
    filesOfLin[1],
    ...filesOfMei.slice(2),
  ]);
});

test('a document that a reader waits for is claimed first, whatever its level and size', async () => {
  await add(mei, SMALL);
  const urgentId = await add(lin, LARGE);
  await setLevel(urgentId, 2);
  await prioritizeConversion(ctx, urgentId);
  expect((await findForegroundCandidates(ctx))[0]).toBe(urgentId);
  await (await takeLease(ctx, urgentId, () => {}))?.release();
  expect((await findRendition(ctx, urgentId))?.is_urgent).toBe(false);
});

test('documents that are leased, delayed or not queued are not claimed', async () => {
  const [leasedId, delayedId, finishedId, waitingId] = [
    await add(mei, SMALL),
    await add(mei, SMALL),
    await add(mei, SMALL),
    await add(mei, SMALL),
  ];
  const lease = await takeLease(ctx, leasedId, () => {});
  await ctx.db
    .update(renditions)
    .set({ convert_after: sql`now() + interval '1 hour'` })
    .where(eq(renditions.id, delayedId));
  await ctx.db.update(renditions).set({ convert_after: null }).where(eq(renditions.id, finishedId));
  expect(await findForegroundCandidates(ctx)).toEqual([waitingId]);
  await lease?.release();
});

test('a document whose worker died is claimed when its lease has expired', async () => {
  const id = await add(mei, SMALL);
  await takeLease(ctx, id, () => {});
  expect(await findForegroundCandidates(ctx)).toEqual([]);
  await ctx.db.update(renditions).set({ lease_until: '2000-01-01T00:00:00Z' }).where(eq(renditions.id, id));
  expect(await findForegroundCandidates(ctx)).toEqual([id]);
  const lease = await takeLease(ctx, id, () => {});
  expect(lease?.rendition.interruptions).toBe(1);
  await lease?.release();
});

test('the background claims conversions of one time slice first, then large files, then the last level', async () => {
  await add(mei, SMALL);
  const large = await add(mei, LARGE);
  expect(await findBackgroundCandidates(ctx, 2)).toEqual([large]);
  const [slow, slowest] = [await add(mei, SMALL), await add(lin, SMALL)];
  await setLevel(slow, 1);
  await setLevel(slowest, 2);
  expect(await findBackgroundCandidates(ctx, 2)).toEqual([slow, large, slowest]);
  expect(await findBackgroundCandidates(ctx, 1)).toEqual([slow, large]);
});

const doOthersWaitFor = (pool: ConversionPool, level: QueueLevel) =>
  doOtherConversionsWait(ctx, { pool, level, isAdditional: false });

test('a conversion in the foreground yields to new documents at every level', async () => {
  const id = await add(mei, SMALL);
  expect(await doOthersWaitFor('foreground', 0)).toBe(true);
  expect(await doOthersWaitFor('foreground', 2)).toBe(true);
  await setLevel(id, 1);
  expect(await doOthersWaitFor('foreground', 0)).toBe(false);
  expect(await doOthersWaitFor('foreground', 1)).toBe(false);
});

test('a conversion in the foreground yields to a document of any level that a reader waits for', async () => {
  const id = await add(mei, SMALL);
  await setLevel(id, 2);
  expect(await doOthersWaitFor('foreground', 0)).toBe(false);
  await prioritizeConversion(ctx, id);
  expect(await doOthersWaitFor('foreground', 0)).toBe(true);
});

test('an additional small file yields only to new small files', async () => {
  const additional = { pool: 'foreground', level: 0, isAdditional: true } as const;
  await add(mei, LARGE);
  const slow = await add(mei, SMALL);
  await setLevel(slow, 1);
  await prioritizeConversion(ctx, slow);
  expect(await doOtherConversionsWait(ctx, additional)).toBe(false);
  await add(lin, SMALL);
  expect(await doOtherConversionsWait(ctx, additional)).toBe(true);
});

test('a conversion in the background yields only to documents that the background would claim', async () => {
  const id = await add(mei, SMALL);
  expect([await doOthersWaitFor('background', 0), await doOthersWaitFor('background', 2)]).toEqual([false, false]);
  await setLevel(id, 2);
  expect([await doOthersWaitFor('background', 1), await doOthersWaitFor('background', 2)]).toEqual([false, true]);
  await setLevel(id, 1);
  expect([await doOthersWaitFor('background', 0), await doOthersWaitFor('background', 1)]).toEqual([true, true]);
  await ctx.db.update(renditions).set({ convert_after: null });
  await add(mei, LARGE);
  expect([await doOthersWaitFor('background', 0), await doOthersWaitFor('background', 1)]).toEqual([true, false]);
});
