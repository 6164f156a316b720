import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from '../conversion.fixture.ts';
import { heavyPdf, makePdf } from '../document-files.fixture.ts';
import { registerRendition } from '../register-rendition.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition } from '../rendition.ts';
import { startConversionDispatcher } from './dispatcher.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });

test('small documents are converted while slow ones fill every slot, and surplus slow ones wait', async () => {
  const slowIds: number[] = [];
  for (let index = 0; index < 2 * availableParallelism() + 1; index++)
    slowIds.push((await addRendition(ctx, '沉重.pdf', heavyPdf(12 + index))).id);
  const small = [];
  for (let index = 0; index < 4; index++)
    small.push(await addRendition(ctx, '小.pdf', makePdf({ text: () => `small ${index}` })));
  for (const { id } of small) expect(await waitForRendition(ctx, id)).toMatchObject({ state: 'ready', queue_level: 0 });
  const rows = await ctx.db.select().from(renditions).where(inArray(renditions.id, slowIds));
  expect(rows.every(({ state }) => state === 'converting' || state === 'waiting')).toBe(true);
  expect(rows.filter((row) => row.lease_until === null).map(({ state }) => state)).toEqual(
    rows.filter((row) => row.lease_until === null).map(() => 'waiting'),
  );
  expect(rows.some(({ queue_level }) => queue_level > 0)).toBe(true);
  await ctx.db.delete(renditions).where(inArray(renditions.id, slowIds));
});

test('small documents are converted without an interruption while failing ones are tried again and again', async () => {
  const failingIds: number[] = [];
  for (let index = 0; index < 2 * availableParallelism() + 1; index++) {
    // Every attempt fails, because the original is not in the storage.
    const hash = randomBytes(32).toString('hex');
    failingIds.push((await registerRendition(ctx, { hash, format: 'docx', size: 10 })).id);
  }
  for (let index = 0; index < 4; index++) {
    const { id } = await addRendition(ctx, '小.pdf', makePdf({ text: () => `beside failures ${index}` }));
    expect(await waitForRendition(ctx, id)).toMatchObject({ state: 'ready', attempts: 1, interruptions: 0 });
  }
  for (const id of failingIds)
    expect(await waitForRendition(ctx, id)).toMatchObject({ state: 'failed', attempts: 3, lease_until: null });
});

test('a slow document is not interrupted while no other document waits', async () => {
  const { id } = await addRendition(ctx, '独占.pdf', heavyPdf(1));
  expect(await waitForRendition(ctx, id)).toMatchObject({ state: 'ready', attempts: 1 });
  expect((await findRendition(ctx, id))?.interruptions).toBe(0);
});

test('a document whose worker died is converted by the next dispatcher', async () => {
  const site = await testApp();
  const { id } = await addRendition(site.ctx, '接手.pdf', makePdf({ text: () => 'take over' }));
  await site.ctx.db
    .update(renditions)
    .set({
      state: 'converting',
      lease_token: '00000000-0000-4000-8000-000000000000',
      lease_until: '2000-01-01T00:00:00Z',
    })
    .where(eq(renditions.id, id));
  const conversions = startConversionDispatcher(site.ctx);
  const rendition = await waitForRendition(site.ctx, id).finally(conversions.stop);
  expect(rendition).toMatchObject({ state: 'ready', attempts: 1 });
});

test('a dispatcher that stops leaves its documents queued for another one', async () => {
  const site = await testApp();
  const { id } = await addRendition(site.ctx, '停止.pdf', makePdf({ pages: 2_000 }));
  const conversions = startConversionDispatcher(site.ctx);
  const state = async () => (await findRendition(site.ctx, id))?.state;
  await expect.poll(state).toBe('readable');
  await conversions.stop();
  const stoppedRendition = await findRendition(site.ctx, id);
  expect(stoppedRendition).toMatchObject({ state: 'readable', lease_until: null, attempts: 1 });
  expect(stoppedRendition?.convert_after).not.toBeNull();
});
