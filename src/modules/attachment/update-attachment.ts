import { eq } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { attachments } from './attachment.table.ts';
import { lockFile } from './link-attachments.ts';
import { type attachmentApi, attachmentErrors } from './manage-attachments.contract.ts';

/** Runs in the transaction that bans a file. */
export type OnFileBanned = (ctx: Context, hash: string) => Promise<void>;

/** Legality applies to the bytes: all rows with the same hash are updated. */
export const updateAttachment =
  (onFileBanned: OnFileBanned) => async (ctx: UserContext, input: ParsedInputOf<typeof attachmentApi.update>) => {
    const { id, enable, ...change } = input;
    await inTransaction(ctx, async (ctx) => {
      const [before] = await ctx.db.select().from(attachments).where(eq(attachments.id, id));
      if (!before) throw attachmentErrors.notFound();
      const isBanned = enable === false && before.enable;
      if (enable !== undefined && enable !== before.enable) {
        // A concurrent upload of the same bytes either finishes first or is rejected.
        await lockFile(ctx, before.path);
        await setLegalityOfHash(ctx, before.hash, enable);
      }
      const [after] = await ctx.db
        .update(attachments)
        .set({ ...change, updated_at: ctx.now().toISOString() })
        .where(eq(attachments.id, id))
        .returning();
      if (isBanned) await onFileBanned(ctx, before.hash);
      const target = auditTarget('附件', [{ id, name: before.name }]);
      await recordAudit(ctx, { action: '更新附件信息', target, before, after });
    });
    return {};
  };

async function setLegalityOfHash(ctx: Context, hash: string, enable: boolean): Promise<void> {
  await ctx.db
    .select({ id: attachments.id })
    .from(attachments)
    .where(eq(attachments.hash, hash))
    .orderBy(attachments.id)
    .for('update');
  await ctx.db.update(attachments).set({ enable }).where(eq(attachments.hash, hash));
}
