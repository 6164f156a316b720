import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Context } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, convertOnce } from '../conversion.fixture.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition } from '../rendition.ts';

const { ctx } = await testApp({ env: { LOG_LEVEL: 'silent' } });

const withUnreadableStorage = (ctx: Context): Context => ({
  ...ctx,
  storage: Object.assign(Object.create(ctx.storage), {
    get: () => Promise.reject(new Error('connect ECONNREFUSED')),
  }),
});

test('a document whose original cannot be read from the storage three times keeps waiting, and the log names the storage', async () => {
  const { id } = await addRendition(ctx, '中断.txt', Buffer.from(randomBytes(8).toString('hex')));
  const warn = vi.spyOn(ctx.log, 'warn');
  for (let attempt = 0; attempt < 3; attempt++) await convertOnce(withUnreadableStorage(ctx), id);
  expect(await findRendition(ctx, id)).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ rendition: id }), 'a conversion waits for the storage');
  await ctx.db.update(renditions).set({ convert_after: ctx.now().toISOString() });
  await convertOnce(ctx, id);
  expect(await findRendition(ctx, id)).toMatchObject({ state: 'ready', reason: '' });
});
