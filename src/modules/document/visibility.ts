import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type Context, hasPermission } from '#platform/server/context.ts';
import { documentStatus } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { includesStatus, publishedStatuses } from './status-groups.contract.ts';

/** Literal values, so that the partial indexes apply. */
const isPublished = sql`${documents.status} in (${sql.raw(publishedStatuses.join(', '))})`;

export const seesAllDocuments = (ctx: Context): boolean =>
  hasPermission(ctx, 'DocumentAPI/ListDocument') || hasPermission(ctx, 'DocumentAPI/GetDocument');

/** Documents of which every visitor may see at least the title. */
export const isPublic: SQL = sql`${documents.deleted_at} is null and ${documents.visibility} = 0 and ${isPublished}`;

/** Visitors may learn that such a document exists, and nothing else about it. */
export const isForMembers: SQL = sql`${documents.deleted_at} is null and ${documents.visibility} = 1 and ${isPublished}`;

/**
 * The single access rule for lists, search, feeds and every other query of documents. Deleted documents are visible
 * only in the recycle bin.
 */
export function isVisibleToCaller(ctx: Context): SQL {
  if (seesAllDocuments(ctx)) return isNull(documents.deleted_at);
  if (!ctx.user) return isPublic;
  const forMembers = sql`${documents.visibility} <= 1 and ${isPublished}`;
  return and(isNull(documents.deleted_at), or(eq(documents.user_id, ctx.user.id), forMembers)) as SQL;
}

type VisibilityFields = Pick<DocumentRow, 'user_id' | 'status' | 'visibility' | 'deleted_at'>;

const isOwner = (ctx: Context, { user_id }: VisibilityFields) => ctx.user?.id === user_id;

/** The same rule for a loaded row. */
export function canSee(ctx: Context, row: VisibilityFields): boolean {
  if (row.deleted_at !== null) return false;
  if (seesAllDocuments(ctx) || isOwner(ctx, row)) return true;
  return includesStatus(publishedStatuses, row.status) && row.visibility <= (ctx.user ? 1 : 0);
}

/** Only they may see failure reasons and hidden counts. */
export const isOwnerOrManager = (ctx: Context, row: VisibilityFields): boolean =>
  seesAllDocuments(ctx) || isOwner(ctx, row);

/** Pages, text, cover and description. Of unconverted documents other users see only title and status. */
export const canRead = (ctx: Context, row: VisibilityFields): boolean =>
  canSee(ctx, row) && (row.status === documentStatus.converted || isOwnerOrManager(ctx, row));
