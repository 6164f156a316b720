import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { testApp } from '#testing/test-app.ts';
import { registerRendition } from '../register-rendition.ts';
import { findRendition, takeLease } from '../rendition.ts';
import { conversionLimits } from './limits.ts';
import { trackRenderProgress } from './render-progress.ts';

const { ctx } = await testApp();

test('pages become readable with the next write when the database refused the first one', async () => {
  const hash = randomBytes(32).toString('hex');
  const { id } = await registerRendition(ctx, { hash, format: 'pdf', size: 80 });
  const lease = await takeLease(ctx, id, () => {});
  if (!lease) throw new Error('not leased');
  let refusals = 1;
  const unsteadyLease: typeof lease = {
    ...lease,
    async change(values) {
      if (refusals-- > 0) throw new Error('the connection was closed');
      await lease.change(values);
    },
  };
  const task = {
    workload: new Workload(0),
    signal: new AbortController().signal,
    isReadable: false,
    isStopRequested: false,
    workspace: { input: '/none', folder: '/none' },
    limits: await conversionLimits(ctx),
  };
  const progress = trackRenderProgress(ctx, unsteadyLease, task);
  progress.opened({ pages: 3, width: 600, height: 800 });
  progress.stored(1);
  await progress.write();
  expect(task.isReadable).toBe(true);
  expect(await findRendition(ctx, id)).toMatchObject({ state: 'readable', pages: 3, ready_pages: 1 });
  await lease.release();
});
