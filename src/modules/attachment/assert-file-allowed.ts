import { and, eq } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { fileErrors } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';

/** A file that was marked illegal comes in no more, whoever brings it. */
export async function assertFileAllowed(ctx: Context, hash: string): Promise<void> {
  const [banned] = await ctx.db
    .select({ id: attachments.id })
    .from(attachments)
    .where(and(eq(attachments.hash, hash), eq(attachments.enable, false)))
    .limit(1);
  if (banned) throw fileErrors.illegal();
}
