import { inArray } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { contents } from './content.table.ts';
import { askForConversion } from './register-content.ts';

/** Converts anew, whatever there is. What is stored stays readable until it is replaced. */
export async function reconvert(ctx: Context, contentIds: number[]): Promise<void> {
  if (contentIds.length === 0) return;
  await ctx.db
    .update(contents)
    .set({ state: 'waiting', reason: '', attempts: 0, ready_pages: 0, text_size: 0 })
    .where(inArray(contents.id, contentIds));
  for (const id of [...new Set(contentIds)].sort((one, other) => one - other))
    await askForConversion(ctx, id);
}
