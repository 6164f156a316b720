import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { enqueueReconversion } from './enqueue-reconversion.ts';
import { registerRendition } from './register-rendition.ts';
import { findRendition, LeaseLost, takeLease } from './rendition.ts';

const { ctx } = await testApp();

async function leaseNewRendition() {
  const hash = randomBytes(32).toString('hex');
  const { id } = await registerRendition(ctx, { hash, format: 'pdf', size: 80 });
  let isLost = false;
  const lease = await takeLease(ctx, id, () => {
    isLost = true;
  });
  if (!lease) throw new Error('the rendition could not be leased');
  return { id, lease, isLost: () => isLost };
}

test('a document stays queued when it is reconverted just before its finished attempt is released', async () => {
  const { id, lease } = await leaseNewRendition();
  await lease.change({ state: 'ready', ready_at: ctx.now().toISOString() });
  await enqueueReconversion(ctx, [id]);
  await lease.release({ convert_after: null });
  const rendition = await findRendition(ctx, id);
  expect(rendition).toMatchObject({ state: 'waiting', lease_until: null, interruptions: 0 });
  expect(rendition?.convert_after).not.toBeNull();
});

test('a running attempt writes nothing more after its document is reconverted', async () => {
  const { id, lease, isLost } = await leaseNewRendition();
  await enqueueReconversion(ctx, [id]);
  await expect(lease.change({ state: 'ready' })).rejects.toThrow(LeaseLost);
  expect(isLost()).toBe(true);
  await lease.release();
  expect((await takeLease(ctx, id, () => {}))?.rendition).toMatchObject({ state: 'waiting' });
});
