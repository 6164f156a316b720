import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addContent } from './conversion.fixture.ts';
import { contents } from './rendition.table.ts';
import { findContent } from './rendition.ts';

const { ctx } = await testApp();
const newText = () => Buffer.from(`一段文字 ${randomBytes(8).toString('hex')}`);
const isQueued = async (id: number) => (await findContent(ctx, id))?.convert_after !== null;
const leaveQueue = (id: number) =>
  ctx.db.update(contents).set({ convert_after: null }).where(eq(contents.id, id));
type Values = Partial<typeof contents.$inferInsert>;
const setAged = (id: number, minutes: number, values: Values = {}) =>
  ctx.db
    .update(contents)
    .set({ ...values, updated_at: sql`now() - make_interval(mins => ${minutes})` as never })
    .where(eq(contents.id, id));
test('a file that failed is queued again when it is uploaded ten minutes later, not before', async () => {
  const bytes = newText();
  const { id } = await addContent(ctx, '再试.txt', bytes);
  await leaveQueue(id);
  await ctx.db
    .update(contents)
    .set({ state: 'failed', reason: '转换程序出错，请稍后重试' })
    .where(eq(contents.id, id));
  expect((await addContent(ctx, '再试.txt', bytes)).state).toBe('failed');
  expect(await isQueued(id)).toBe(false);
  await setAged(id, 11);
  expect(await addContent(ctx, '再试.txt', bytes)).toMatchObject({ state: 'waiting', reason: '' });
  expect([(await findContent(ctx, id))?.attempts, await isQueued(id)]).toEqual([0, true]);
});
