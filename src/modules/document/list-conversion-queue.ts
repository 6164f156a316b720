import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { listQueue } from '#modules/conversion/list-queue.ts';
import type { Context } from '#platform/server/context.ts';
import { documents } from './document.table.ts';

const MAX_DOCUMENTS_PER_FILE = 3;

export async function listConversionQueue(ctx: Context) {
  const { totals, running, waiting, failed, per_minute } = await listQueue(ctx);
  const documentsByRendition = await findDocumentsByRendition(
    ctx,
    [...running, ...waiting, ...failed].map(({ id }) => id),
  );
  const withDocuments = <I extends { id: number }>(items: I[]) =>
    items.map((item) => ({
      ...item,
      document: (documentsByRendition.get(item.id) ?? []).slice(0, MAX_DOCUMENTS_PER_FILE),
    }));
  return {
    totals: { waiting: 0, converting: 0, readable: 0, failed: 0, ...totals },
    running: withDocuments(running),
    waiting: withDocuments(waiting),
    failed: withDocuments(failed),
    per_minute,
  };
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
