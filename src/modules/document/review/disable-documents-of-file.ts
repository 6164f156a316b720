import { and, eq, inArray, ne } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { lockCategoryTreeShared } from '#modules/category/category.ts';
import type { Context } from '#platform/server/context.ts';
import { documents } from '../document.table.ts';
import { recordDocumentEvents } from '../document-events.ts';
import { lockDocuments } from '../lock-documents.ts';
import { DOCUMENT_FILE } from '../uploaded-attachments.ts';

/** Disables all documents of a banned file, also those in the recycle bin. */
export async function disableDocumentsOfFile(ctx: Context, hash: string): Promise<void> {
  const uses = await ctx.db
    .select({ id: attachments.type_id })
    .from(attachments)
    .where(and(eq(attachments.hash, hash), eq(attachments.type, DOCUMENT_FILE)));
  const ids = uses.map(({ id }) => id).filter((id) => id > 0);
  if (ids.length === 0) return;
  await lockCategoryTreeShared(ctx);
  await lockDocuments(ctx, ids);
  await ctx.db
    .update(documents)
    .set({ review_state: 'disabled', reject_reason: '文件已被标记为非法文件' })
    .where(and(inArray(documents.id, ids), ne(documents.review_state, 'disabled')));
  await recordDocumentEvents(ctx, 'reviewed', ids);
}
