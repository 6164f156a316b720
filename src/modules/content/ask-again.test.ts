import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addContent } from './content.fixture.ts';
import { contents } from './content.table.ts';
import { findContent } from './content.ts';
import { resumeWaiting } from './resume-waiting.ts';

const { ctx } = await testApp();
const newText = () => Buffer.from(`一段文字 ${randomBytes(8).toString('hex')}`);
const waitingJobs = async (id: number) => {
  const { rows } = await ctx.db.execute(
    sql`select 1 from pgboss.job where name = 'convert-content' and state = 'created'
      and data->>'id' = ${String(id)}`,
  );
  return rows.length;
};
const loseJobs = () => ctx.db.execute(sql`delete from pgboss.job where name = 'convert-content'`);
type Values = Partial<typeof contents.$inferInsert>;
const setAged = (id: number, minutes: number, values: Values = {}) =>
  ctx.db
    .update(contents)
    .set({ ...values, updated_at: sql`now() - make_interval(mins => ${minutes})` as never })
    .where(eq(contents.id, id));
const look = () => resumeWaiting.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });

test('a document whose conversion was lost, as after a restore, is converted after all', async () => {
  const [waiting, begun, fresh, held] = [
    await addContent(ctx, '等.txt', newText()),
    await addContent(ctx, '半.txt', newText()),
    await addContent(ctx, '新.txt', newText()),
    await addContent(ctx, '占.txt', newText()),
  ];
  await loseJobs();
  await setAged(waiting.id, 20);
  await setAged(begun.id, 90, { state: 'converting' });
  await setAged(held.id, 90, {
    state: 'converting',
    lease_until: new Date(Date.now() + 60_000).toISOString(),
  });
  await look();
  const jobs = [waiting, begun, fresh, held].map(({ id }) => waitingJobs(id));
  expect(await Promise.all(jobs)).toEqual([1, 1, 0, 0]);
  await setAged(waiting.id, 20);
  await look();
  expect(await waitingJobs(waiting.id)).toBe(1);
});

test('a file that failed is tried again when it is uploaded again, but not at once', async () => {
  const bytes = newText();
  const { id } = await addContent(ctx, '再试.txt', bytes);
  await loseJobs();
  await ctx.db
    .update(contents)
    .set({ state: 'failed', reason: '转换程序出错，请稍后重试' })
    .where(eq(contents.id, id));
  expect((await addContent(ctx, '再试.txt', bytes)).state).toBe('failed');
  expect(await waitingJobs(id)).toBe(0);
  await setAged(id, 11);
  expect(await addContent(ctx, '再试.txt', bytes)).toMatchObject({ state: 'waiting', reason: '' });
  expect([(await findContent(ctx, id))?.attempts, await waitingJobs(id)]).toEqual([0, 1]);
});
