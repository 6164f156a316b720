import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { listQueue } from '#modules/conversion/list-queue.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Context } from '#platform/server/context.ts';
import { documents } from './document.table.ts';
import { DOCUMENT_FILE } from './uploaded-attachments.ts';

const MAX_DOCUMENTS_PER_FILE = 3;

export async function listConversionQueue(ctx: Context) {
  const { totals, running, waiting, failed, per_minute } = await listQueue(ctx);
  const ids = [...running, ...waiting, ...failed].map(({ id }) => id);
  const documentsByRendition = await findDocumentsByRendition(ctx, ids);
  const uploadsByRendition = await findUploadsByRendition(
    ctx,
    ids.filter((id) => !documentsByRendition.has(id)),
  );
  const withDocuments = <I extends { id: number }>(items: I[]) =>
    items.map((item) => ({
      ...item,
      document: (documentsByRendition.get(item.id) ?? []).slice(0, MAX_DOCUMENTS_PER_FILE),
      upload: uploadsByRendition.get(item.id) ?? null,
    }));
  return {
    totals: { waiting: 0, converting: 0, readable: 0, failed: 0, ...totals },
    running: withDocuments(running),
    waiting: withDocuments(waiting),
    failed: withDocuments(failed),
    per_minute,
  };
}

/** The latest upload of each file that no document uses yet. */
async function findUploadsByRendition(ctx: Context, renditionIds: number[]) {
  if (renditionIds.length === 0) return new Map<number, never>();
  const rows = await ctx.db
    .select({ id: renditions.id, name: attachments.name, username: users.username })
    .from(renditions)
    .innerJoin(attachments, eq(attachments.hash, renditions.hash))
    .innerJoin(users, eq(users.id, attachments.user_id))
    .where(and(inArray(renditions.id, renditionIds), eq(attachments.type, DOCUMENT_FILE), eq(attachments.type_id, 0)))
    .orderBy(asc(attachments.id));
  return new Map(rows.map(({ id, ...upload }) => [id, upload]));
}

/** Documents that are not deleted, by rendition. */
export async function findDocumentsByRendition(ctx: Context, renditionIds: number[]) {
  if (renditionIds.length === 0) return new Map<number, never[]>();
  const rows = await ctx.db
    .select({
      rendition_id: documents.rendition_id,
      id: documents.id,
      title: documents.title,
      username: users.username,
    })
    .from(documents)
    .innerJoin(users, eq(users.id, documents.user_id))
    .where(and(inArray(documents.rendition_id, renditionIds), isNull(documents.deleted_at)))
    .orderBy(asc(documents.id));
  return Map.groupBy(rows, ({ rendition_id }) => rendition_id ?? 0);
}
