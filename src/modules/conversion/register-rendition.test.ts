import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { registerRendition } from './register-rendition.ts';
import { renditions } from './rendition.table.ts';
import { pipelineVersion } from './rendition.ts';

const { ctx } = await testApp();

test('concurrent uploads of the same outdated file all succeed and queue one conversion', async () => {
  const newRendition = { hash: randomBytes(32).toString('hex'), format: 'pdf', size: 80 } as const;
  const { id } = await registerRendition(ctx, newRendition);
  const version = pipelineVersion('pdf') - 1;
  await ctx.db
    .update(renditions)
    .set({ state: 'ready', view: 'pages', version, convert_after: null })
    .where(eq(renditions.id, id));
  const uploads = Array.from({ length: 8 }, () => inTransaction(ctx, (ctx) => registerRendition(ctx, newRendition)));
  expect((await Promise.all(uploads)).map((row) => row.id)).toEqual(Array(8).fill(id));
  const rows = await ctx.db.select().from(renditions).where(eq(renditions.hash, newRendition.hash));
  expect(rows).toHaveLength(1);
  expect(rows[0]?.convert_after).not.toBeNull();
});
