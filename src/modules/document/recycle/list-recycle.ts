import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, hasPermission, type UserContext } from '#platform/server/context.ts';
import { containsWords, countRows } from '#platform/server/db/list-query.ts';
import { documents } from '../document.table.ts';
import { buildDocumentFilters, buildDocumentOrder } from '../list-documents.ts';
import type { recycleApi } from '../recycle.contract.ts';
import { addCategoriesAndUrls, selectDocuments } from '../select-documents.ts';

/** All deleted documents for managers of the recycle bin, otherwise the caller's. */
export async function listRecycle(ctx: UserContext, input: ParsedInputOf<typeof recycleApi.list>) {
  const managesRecycleBin = hasPermission(ctx, 'RecycleAPI/ListRecycleDocument');
  const condition = and(
    isNotNull(documents.deleted_at),
    managesRecycleBin ? undefined : eq(documents.user_id, ctx.user.id),
    await buildDocumentFilters(ctx, input),
    containsWords([documents.title, documents.keywords], input.wd),
  );
  const rows = await selectDocuments(ctx)
    .where(condition)
    .orderBy(...buildDocumentOrder(input, desc(documents.deleted_at)), desc(documents.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size);
  const names = await usernamesOf(
    ctx,
    rows.flatMap(({ deleted_user_id }) => deleted_user_id ?? []),
  );
  const describedDocuments = await addCategoriesAndUrls(ctx, rows);
  return {
    total: await countRows(ctx.db, documents, condition),
    document: describedDocuments.map((row) => ({
      ...row,
      deleted_at: row.deleted_at ?? row.updated_at,
      deleted_user_id: row.deleted_user_id ?? 0,
      deleted_username: names.get(row.deleted_user_id ?? 0) ?? '',
    })),
  };
}

async function usernamesOf(ctx: Context, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, username }) => [id, username]));
}
