import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addRendition, convertOnce, waitForRendition } from '../conversion.fixture.ts';
import { registerRendition } from '../register-rendition.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition } from '../rendition.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real', env: { LOG_LEVEL: 'silent' } });
const siteWithoutWorker = await testApp();

test('a conversion that fails because of the machine is tried three times and then fails with a Chinese reason', async () => {
  // The original is not in the storage: an error of the machine, not of the document.
  const hash = randomBytes(32).toString('hex');
  const { id } = await registerRendition(ctx, { hash, format: 'txt', size: 10 });
  expect(await waitForRendition(ctx, id)).toMatchObject({
    state: 'failed',
    reason: '转换程序出错，请稍后重试',
    attempts: 3,
    convert_after: null,
  });
});

/** Sets the row as a worker leaves it that died repeatedly. */
const setInterrupted = (id: number, interruptions: number) =>
  siteWithoutWorker.ctx.db
    .update(renditions)
    .set({ state: 'converting', interruptions, lease_until: '2000-01-01T00:00:00Z' })
    .where(eq(renditions.id, id));

test.each([
  [14, 'ready', ''],
  [15, 'failed', '处理进程意外中断'],
] as const)('a document whose process died after %i interruptions ends as %s', async (interruptions, state, reason) => {
  const bytes = Buffer.from(randomBytes(8).toString('hex'));
  const { id } = await addRendition(siteWithoutWorker.ctx, '中断.txt', bytes);
  await setInterrupted(id, interruptions);
  await convertOnce(siteWithoutWorker.ctx, id);
  expect(await findRendition(siteWithoutWorker.ctx, id)).toMatchObject({ state, reason, convert_after: null });
});
