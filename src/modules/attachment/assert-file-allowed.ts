import { and, eq } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { fileErrors } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';

/** Rejects a file that an administrator has marked as illegal. */
export async function assertFileAllowed(ctx: Context, hash: string): Promise<void> {
  const [bannedRow] = await ctx.db
    .select({ id: attachments.id })
    .from(attachments)
    .where(and(eq(attachments.hash, hash), eq(attachments.enable, false)))
    .limit(1);
  if (bannedRow) throw fileErrors.illegal();
}
