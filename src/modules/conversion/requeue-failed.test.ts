import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addRendition } from './conversion.fixture.ts';
import { renditions } from './rendition.table.ts';
import { findRendition } from './rendition.ts';

const { ctx } = await testApp();
const newText = () => Buffer.from(`一段文字 ${randomBytes(8).toString('hex')}`);
const isQueued = async (id: number) => (await findRendition(ctx, id))?.convert_after !== null;
const removeFromQueue = (id: number) =>
  ctx.db.update(renditions).set({ convert_after: null }).where(eq(renditions.id, id));
type Values = Partial<typeof renditions.$inferInsert>;
const setUpdatedMinutesAgo = (id: number, minutes: number, values: Values = {}) =>
  ctx.db
    .update(renditions)
    .set({ ...values, updated_at: sql`now() - make_interval(mins => ${minutes})` as never })
    .where(eq(renditions.id, id));
test('a file that failed is queued again when it is uploaded ten minutes later, not before', async () => {
  const bytes = newText();
  const { id } = await addRendition(ctx, '再试.txt', bytes);
  await removeFromQueue(id);
  await ctx.db
    .update(renditions)
    .set({ state: 'failed', reason: '转换程序出错，请稍后重试' })
    .where(eq(renditions.id, id));
  expect((await addRendition(ctx, '再试.txt', bytes)).state).toBe('failed');
  expect(await isQueued(id)).toBe(false);
  await setUpdatedMinutesAgo(id, 11);
  expect(await addRendition(ctx, '再试.txt', bytes)).toMatchObject({ state: 'waiting', reason: '' });
  expect([(await findRendition(ctx, id))?.attempts, await isQueued(id)]).toEqual([0, true]);
});
