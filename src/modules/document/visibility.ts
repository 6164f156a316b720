import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type Context, can } from '#platform/server/context.ts';
import { documentStatus } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { isOneOf, publishedStatuses } from './status-groups.contract.ts';

/** Neither disabled nor under review nor refused; written out for the partial indexes. */
const isOnShelf = sql`${documents.status} in (${sql.raw(publishedStatuses.join(', '))})`;

/** Those who manage documents see all of them. */
export const seesAll = (ctx: Context): boolean =>
  can(ctx, 'DocumentAPI/ListDocument') || can(ctx, 'DocumentAPI/GetDocument');

/** What everybody may see at least the title of. */
export const isPublic: SQL = sql`${documents.deleted_at} is null and ${documents.visibility} = 0 and ${isOnShelf}`;

/** Readable by every logged-in user. Visitors may learn that it exists, and nothing else about it. */
export const isForMembers: SQL = sql`${documents.deleted_at} is null and ${documents.visibility} = 1 and ${isOnShelf}`;

/**
 * The one rule of who sees a document, as a condition: for lists, search, feeds and whatever else
 * reads documents. What lies in the recycle bin is seen nowhere but there.
 */
export function visibleTo(ctx: Context): SQL {
  if (seesAll(ctx)) return isNull(documents.deleted_at);
  if (!ctx.user) return isPublic;
  const forMembers = sql`${documents.visibility} <= 1 and ${isOnShelf}`;
  return and(isNull(documents.deleted_at), or(eq(documents.user_id, ctx.user.id), forMembers)) as SQL;
}

type Seen = Pick<DocumentRow, 'user_id' | 'status' | 'visibility' | 'deleted_at'>;

const isOwner = (ctx: Context, { user_id }: Seen) => ctx.user?.id === user_id;

/** The same rule for a row that is already here. */
export function canSee(ctx: Context, row: Seen): boolean {
  if (row.deleted_at !== null) return false;
  if (seesAll(ctx) || isOwner(ctx, row)) return true;
  return isOneOf(publishedStatuses, row.status) && row.visibility <= (ctx.user ? 1 : 0);
}

/** Owner and managers: they see states, reasons and counts that are nobody else's business. */
export const seesInside = (ctx: Context, row: Seen): boolean => seesAll(ctx) || isOwner(ctx, row);

/** Pages, text, cover and description; of what is not converted others see a title with its state. */
export const canRead = (ctx: Context, row: Seen): boolean =>
  canSee(ctx, row) && (row.status === documentStatus.converted || seesInside(ctx, row));
