import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import type { QueueLevel } from './conversion.contract.ts';
import {
  type ConversionPlace,
  doOthersWait,
  nextBackground,
  nextForeground,
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

/** Claims everything in the order in which a single worker would. */
async function claimAll(): Promise<number[]> {
  const order: number[] = [];
  for (;;) {
    const [id] = await nextForeground(ctx);
    if (id === undefined) return order;
    const lease = await takeLease(ctx, id, () => {});
    await lease?.release({ convert_after: null });
    order.push(id);
  }
}

test('documents of one user are claimed in the order of upload, also when earlier ones are done', async () => {
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

test('users take turns, however many files one of them has uploaded before', async () => {
  const many = [];
  for (let index = 0; index < 5; index++) many.push(await add(mei, SMALL));
  const few = [await add(lin, SMALL), await add(lin, SMALL)];
  expect(await claimAll()).toEqual([many[0], few[0], many[1], few[1], ...many.slice(2)]);
});

test('a document that a reader waits for is claimed first, whatever its level and size', async () => {
  await add(mei, SMALL);
  const urgentDocument = await add(lin, LARGE);
  await setLevel(urgentDocument, 2);
  await prioritizeConversion(ctx, urgentDocument);
  expect((await nextForeground(ctx))[0]).toBe(urgentDocument);
  await (await takeLease(ctx, urgentDocument, () => {}))?.release();
  expect((await findRendition(ctx, urgentDocument))?.is_urgent).toBe(false);
});

test('documents that are leased, delayed or not queued are not claimed', async () => {
  const [leased, delayed, finished, ready] = [
    await add(mei, SMALL),
    await add(mei, SMALL),
    await add(mei, SMALL),
    await add(mei, SMALL),
  ];
  const lease = await takeLease(ctx, leased, () => {});
  await ctx.db
    .update(renditions)
    .set({ convert_after: sql`now() + interval '1 hour'` })
    .where(eq(renditions.id, delayed));
  await ctx.db.update(renditions).set({ convert_after: null }).where(eq(renditions.id, finished));
  expect(await nextForeground(ctx)).toEqual([ready]);
  await lease?.release();
});

test('a document whose worker died is claimed when its lease has expired', async () => {
  const id = await add(mei, SMALL);
  await takeLease(ctx, id, () => {});
  expect(await nextForeground(ctx)).toEqual([]);
  await ctx.db.update(renditions).set({ lease_until: '2000-01-01T00:00:00Z' }).where(eq(renditions.id, id));
  expect(await nextForeground(ctx)).toEqual([id]);
  const lease = await takeLease(ctx, id, () => {});
  expect(lease?.content.interruptions).toBe(1);
  await lease?.release();
});

test('the background takes lower levels first, and large files when no slice was used up', async () => {
  await add(mei, SMALL);
  const large = await add(mei, LARGE);
  expect(await nextBackground(ctx, 2)).toEqual([large]);
  const [slow, slowest] = [await add(mei, SMALL), await add(lin, SMALL)];
  await setLevel(slow, 1);
  await setLevel(slowest, 2);
  expect(await nextBackground(ctx, 2)).toEqual([slow, slowest]);
  expect(await nextBackground(ctx, 1)).toEqual([slow]);
});

const waitsFor = (place: ConversionPlace, level: QueueLevel) => doOthersWait(ctx, { place, level });

test('a conversion in the foreground yields to new documents, whatever its own level', async () => {
  const id = await add(mei, SMALL);
  expect(await waitsFor('foreground', 0)).toBe(true);
  expect(await waitsFor('foreground', 2)).toBe(true);
  await setLevel(id, 1);
  expect(await waitsFor('foreground', 0)).toBe(false);
  expect(await waitsFor('foreground', 1)).toBe(false);
});

test('a conversion in the foreground yields to a document of any level that a reader waits for', async () => {
  const id = await add(mei, SMALL);
  await setLevel(id, 2);
  expect(await waitsFor('foreground', 0)).toBe(false);
  await prioritizeConversion(ctx, id);
  expect(await waitsFor('foreground', 0)).toBe(true);
});

test('a conversion in the background yields only to documents that the background would claim', async () => {
  const id = await add(mei, SMALL);
  expect([await waitsFor('background', 0), await waitsFor('background', 2)]).toEqual([false, false]);
  await setLevel(id, 2);
  expect([await waitsFor('background', 1), await waitsFor('background', 2)]).toEqual([false, true]);
  await setLevel(id, 1);
  expect([await waitsFor('background', 0), await waitsFor('background', 1)]).toEqual([true, true]);
  await ctx.db.update(renditions).set({ convert_after: null });
  await add(mei, LARGE);
  expect([await waitsFor('background', 0), await waitsFor('background', 1)]).toEqual([true, false]);
});
