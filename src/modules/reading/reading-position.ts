import { and, count, desc, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { addCategoriesAndUrls, selectDocuments } from '#modules/document/select-documents.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { MAX_PAGE_OFFSET, type positionApi, positionErrors } from './position.contract.ts';
import { withCallerPreviewLimit } from './preview-limit.ts';
import { readingPositions } from './reading.table.ts';

const isPositionOfCaller = (ctx: UserContext) => eq(readingPositions.user_id, ctx.user.id);

export async function readPosition(ctx: UserContext, { id }: { id: number }) {
  const [row] = await ctx.db
    .select()
    .from(readingPositions)
    .where(and(isPositionOfCaller(ctx), eq(readingPositions.document_id, id)));
  return row ?? { page: 0, offset: 0, progress: 0, read_at: null };
}

/** Keeps a position that another device stored with a later time. */
export async function storePosition(
  ctx: UserContext,
  { id, page, offset, read_at }: ParsedInputOf<typeof positionApi.put>,
) {
  const [row] = await ctx.db
    .select({ pages: renditions.pages })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(and(eq(documents.id, id), isVisibleToCaller(ctx)));
  if (!row) throw documentErrors.notFound();
  const pages = Math.max(1, row.pages ?? 0);
  // The document may have become shorter, and the device clock may be fast.
  const currentPage = Math.min(page, pages);
  const readShare = (currentPage - 1 + offset / MAX_PAGE_OFFSET) / pages;
  const now = ctx.now().toISOString();
  const position = {
    page: currentPage,
    offset,
    progress: progressPercent(readShare),
    read_at: read_at !== undefined && new Date(read_at) < ctx.now() ? read_at : now,
  };
  await ctx.db
    .insert(readingPositions)
    .values({ user_id: ctx.user.id, document_id: id, ...position })
    .onConflictDoUpdate({
      target: [readingPositions.user_id, readingPositions.document_id],
      set: position,
      setWhere: lte(readingPositions.read_at, sql`excluded.read_at`),
    });
  return {};
}

/** 100 only at the very end. */
const progressPercent = (readShare: number) => (readShare < 1 ? Math.min(99, Math.round(readShare * 100)) : 100);

/** The caller's documents, last read first. */
export async function listReadingHistory(
  ctx: UserContext,
  { page, size, unfinished }: ParsedInputOf<typeof positionApi.history>,
) {
  const isUnfinished = unfinished ? lt(readingPositions.progress, 100) : undefined;
  const condition = and(isPositionOfCaller(ctx), isVisibleToCaller(ctx), isUnfinished);
  const ofDocument = eq(documents.id, readingPositions.document_id);
  const [{ total } = { total: 0 }] = await ctx.db
    .select({ total: count() })
    .from(readingPositions)
    .innerJoin(documents, ofDocument)
    .where(condition);
  const rows = await ctx.db
    .select({ position: readingPositions })
    .from(readingPositions)
    .innerJoin(documents, ofDocument)
    .where(condition)
    .orderBy(desc(readingPositions.read_at), desc(readingPositions.document_id))
    .limit(size)
    .offset((page - 1) * size);
  if (rows.length === 0) return { total, history: [] };
  const ids = rows.map(({ position }) => position.document_id);
  const documentsRead = await selectDocuments(ctx).where(inArray(documents.id, ids));
  const documentRows = await withCallerPreviewLimit(ctx, await addCategoriesAndUrls(ctx, documentsRead));
  const byId = new Map(documentRows.map((row) => [row.id, row]));
  return {
    total,
    history: rows.flatMap(({ position }) => {
      const document = byId.get(position.document_id);
      return document ? [{ ...position, document }] : [];
    }),
  };
}

/** Deletes all given entries or, if one of them does not exist, none. */
export async function deleteReadingHistory(
  ctx: UserContext,
  { id: ids, all }: ParsedInputOf<typeof positionApi.deleteHistory>,
) {
  if (!all && !ids) throw positionErrors.nothingNamed();
  const isSelected = all || !ids ? undefined : inArray(readingPositions.document_id, ids);
  await inTransaction(ctx, async (ctx) => {
    const deletedRows = await ctx.db
      .delete(readingPositions)
      .where(and(isPositionOfCaller(ctx), isSelected))
      .returning({ id: readingPositions.document_id });
    if (!all && deletedRows.length < new Set(ids).size) throw positionErrors.notRead();
  });
  return {};
}
