import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { createJobs } from '#platform/server/jobs.ts';
import { createLog } from '#platform/server/log.ts';
import { testApp } from '#testing/test-app.ts';
import { addContent, settled } from '../content.fixture.ts';
import { contents } from '../content.table.ts';
import { findContent } from '../content.ts';
import { registerContent } from '../register-content.ts';
import { convertContent } from './convert-content.ts';

const { ctx, pool } = await testApp();
// The queue of the site, which only looks for work more often and does not rest between two tries.
const timing = { heartbeatSeconds: 15, checkSeconds: 1, pollSeconds: 0.5 };
const queue = createJobs({ pool, log: createLog('silent'), timing });
const tries: number[] = [];
await queue.start(
  [
    {
      ...convertContent,
      retryDelay: 0,
      run: (...[site, input, attempt]: Parameters<typeof convertContent.run>) => {
        tries.push(attempt.attempt);
        return convertContent.run(site, input, attempt);
      },
    },
  ],
  ctx,
  { work: true },
);
afterAll(() => queue.stop());

test('a conversion that goes wrong is tried three times, then its document says so in Chinese', async () => {
  // What was uploaded is not in the store: an error of the machine, not of the document.
  const hash = randomBytes(32).toString('hex');
  const { id } = await registerContent(ctx, { hash, format: 'txt', size: 10 });
  expect(await settled(ctx, id)).toMatchObject({
    state: 'failed',
    reason: '转换程序出错，请稍后重试',
    attempts: 3,
  });
  expect(tries).toEqual([1, 2, 3]);
});

test('giving up tells a reason that is meant for people, and takes nothing back that was made', async () => {
  const add = () => addContent(ctx, '放弃.txt', Buffer.from(randomBytes(8).toString('hex')));
  const [slow, made] = [await add(), await add()];
  const giveUp = (id: number) =>
    convertContent.giveUp?.(ctx, { id }, '转换超时，文档可能过大或过于复杂');
  await Promise.all([slow, made].map(({ id }) => settled(ctx, id)));
  await ctx.db.update(contents).set({ state: 'converting' }).where(eq(contents.id, slow.id));
  await Promise.all([giveUp(slow.id), giveUp(made.id)]);
  expect(await findContent(ctx, slow.id)).toMatchObject({
    state: 'failed',
    reason: '转换超时，文档可能过大或过于复杂',
  });
  expect(await findContent(ctx, made.id)).toMatchObject({ state: 'ready', reason: '' });
});

test('a document whose process died again and again begins anew, but not for ever', async () => {
  const { id } = await addContent(ctx, '中断.txt', Buffer.from(randomBytes(8).toString('hex')));
  await settled(ctx, id);
  const interrupt = (interrupted: number) =>
    convertContent.giveUp?.(ctx, { id, interrupted }, '处理进程意外中断');
  const midway = { state: 'converting', ready_pages: 0 } as const;
  await ctx.db.update(contents).set(midway).where(eq(contents.id, id));
  await interrupt(4);
  expect(await findContent(ctx, id)).toMatchObject({ state: 'converting' });
  await expect
    .poll(async () => (await findContent(ctx, id))?.state, { timeout: 60_000 })
    .toBe('ready');
  await ctx.db.update(contents).set(midway).where(eq(contents.id, id));
  await interrupt(5);
  expect(await findContent(ctx, id)).toMatchObject({
    ...{ state: 'failed', reason: '处理进程意外中断' },
  });
});
