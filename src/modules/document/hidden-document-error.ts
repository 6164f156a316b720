import { and, eq, type SQL } from 'drizzle-orm';
import type { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { documentErrors } from './document.contract.ts';
import { documents } from './document.table.ts';
import { isForMembers } from './visibility.ts';

/** The error for a document that the caller may not see: a visitor learns when logging in would help. */
export async function hiddenDocumentError(ctx: Context, document: number | SQL): Promise<AppError> {
  if (ctx.user) return documentErrors.notFound();
  const isRequested = typeof document === 'number' ? eq(documents.id, document) : document;
  const rows = await ctx.db.select({ id: documents.id }).from(documents).where(and(isRequested, isForMembers));
  return rows.length > 0 ? documentErrors.membersOnly() : documentErrors.notFound();
}
