import { and, count, desc, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { describeDocuments, selectDocuments } from '#modules/document/document.ts';
import { visibleTo } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { type positionApi, positionErrors, WHOLE_PAGE } from './position.contract.ts';
import { withPreview } from './preview.ts';
import { readingPositions } from './reading.table.ts';

const isOwn = (ctx: UserContext) => eq(readingPositions.user_id, ctx.user.id);

export async function readPosition(ctx: UserContext, { id }: { id: number }) {
  const [row] = await ctx.db
    .select()
    .from(readingPositions)
    .where(and(isOwn(ctx), eq(readingPositions.document_id, id)));
  return row ?? { page: 0, offset: 0, progress: 0, read_at: null };
}

/** Notes where the caller is; what another device noted later stays. */
export async function notePosition(
  ctx: UserContext,
  { id, page, offset, read_at }: ParsedInputOf<typeof positionApi.put>,
) {
  const [found] = await ctx.db
    .select({ pages: renditions.pages })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.content_id))
    .where(and(eq(documents.id, id), visibleTo(ctx)));
  if (!found) throw documentErrors.notFound();
  const pages = Math.max(1, found.pages ?? 0);
  // A document may have become shorter since it was opened; a clock may be fast.
  const at = Math.min(page, pages);
  const read = (at - 1 + offset / WHOLE_PAGE) / pages;
  const now = ctx.now().toISOString();
  const place = {
    page: at,
    offset,
    progress: percentOf(read),
    read_at: read_at !== undefined && new Date(read_at) < ctx.now() ? read_at : now,
  };
  await ctx.db
    .insert(readingPositions)
    .values({ user_id: ctx.user.id, document_id: id, ...place })
    .onConflictDoUpdate({
      target: [readingPositions.user_id, readingPositions.document_id],
      set: place,
      setWhere: lte(readingPositions.read_at, sql`excluded.read_at`),
    });
  return {};
}

/** Nothing is finished before its very end. */
const percentOf = (read: number) => (read < 1 ? Math.min(99, Math.round(read * 100)) : 100);

/** What the caller has read, the latest first. */
export async function readHistory(
  ctx: UserContext,
  { page, size, unfinished }: ParsedInputOf<typeof positionApi.history>,
) {
  const begun = unfinished ? lt(readingPositions.progress, 100) : undefined;
  const shown = and(isOwn(ctx), visibleTo(ctx), begun);
  const ofDocument = eq(documents.id, readingPositions.document_id);
  const [{ total } = { total: 0 }] = await ctx.db
    .select({ total: count() })
    .from(readingPositions)
    .innerJoin(documents, ofDocument)
    .where(shown);
  const rows = await ctx.db
    .select({ position: readingPositions })
    .from(readingPositions)
    .innerJoin(documents, ofDocument)
    .where(shown)
    .orderBy(desc(readingPositions.read_at), desc(readingPositions.document_id))
    .limit(size)
    .offset((page - 1) * size);
  if (rows.length === 0) return { total, history: [] };
  const ids = rows.map(({ position }) => position.document_id);
  const found = await selectDocuments(ctx).where(inArray(documents.id, ids));
  const documentRows = await withPreview(ctx, await describeDocuments(ctx, found));
  const byId = new Map(documentRows.map((row) => [row.id, row]));
  return {
    total,
    history: rows.flatMap(({ position }) => {
      const document = byId.get(position.document_id);
      return document ? [{ ...position, document }] : [];
    }),
  };
}

/** Forgets all of those named or none; or everything. */
export async function deleteReadingHistory(
  ctx: UserContext,
  { id: ids, all }: ParsedInputOf<typeof positionApi.forget>,
) {
  if (!all && !ids) throw positionErrors.nothingNamed();
  const named = all || !ids ? undefined : inArray(readingPositions.document_id, ids);
  await inTransaction(ctx, async (ctx) => {
    const removed = await ctx.db
      .delete(readingPositions)
      .where(and(isOwn(ctx), named))
      .returning({ id: readingPositions.document_id });
    if (!all && removed.length < new Set(ids).size) throw positionErrors.notRead();
  });
  return {};
}
