import { and, count, desc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm';
import { findUser } from '#modules/account/account.ts';
import { documents } from '#modules/document/document.table.ts';
import { addCategoriesAndUrls, selectDocuments } from '#modules/document/select-documents.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import { withCallerPreviewLimit } from '#modules/reading/preview-limit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { countRows } from '#platform/server/db/list-query.ts';
import { type favoriteApi, favoriteErrors } from './favorite.contract.ts';
import { favoriteFolders, favorites } from './favorite.table.ts';
import { favoriteOrderInFolder, getFolder } from './folder.ts';

type Input = ParsedInputOf<typeof favoriteApi.list>;
type Row = typeof favorites.$inferSelect;

/**
 * Lists the favorites of a user. Owners get all of them, including those whose document they may no longer see; other
 * callers get public favorites of visible documents.
 */
export async function listFavorites(ctx: Context, input: Input) {
  const folder = input.folder_id ? await getFolder(ctx, { id: input.folder_id }) : null;
  const userId = folder?.user_id ?? (input.user_id || ctx.user?.id);
  if (!userId) throw httpErrors.loginRequired();
  const isOwner = userId === ctx.user?.id;
  // A public folder stays reachable by its link even if its owner hides the favorites.
  if (!isOwner && !folder && (await findUser(ctx, userId)).hide_favorite) throw favoriteErrors.hidden();
  const condition = and(
    eq(favorites.user_id, userId),
    folder ? eq(favorites.folder_id, folder.id) : undefined,
    input.folder_id === 0 ? isNull(favorites.folder_id) : undefined,
  );
  const order = folder ? favoriteOrderInFolder : [desc(favorites.id)];
  const range = { limit: input.size, offset: (input.page - 1) * input.size };
  const { total, rows } = isOwner
    ? await selectFavoritesForOwner(ctx, condition, order, range)
    : await selectPublicFavorites(ctx, condition, order, range);
  return { total, favorite: await addDocumentsToFavorites(ctx, rows) };
}

type Range = { limit: number; offset: number };

async function selectFavoritesForOwner(ctx: Context, condition: SQL | undefined, order: SQL[], range: Range) {
  const rows = await ctx.db
    .select()
    .from(favorites)
    .where(condition)
    .orderBy(...order)
    .limit(range.limit)
    .offset(range.offset);
  return { total: await countRows(ctx.db, favorites, condition), rows };
}

async function selectPublicFavorites(ctx: Context, condition: SQL | undefined, order: SQL[], range: Range) {
  const isPublic = and(
    condition,
    isVisibleToCaller(ctx),
    or(isNull(favorites.folder_id), eq(favoriteFolders.is_public, true)),
  );
  const matchesDocument = eq(documents.id, favorites.document_id);
  const matchesFolder = eq(favoriteFolders.id, favorites.folder_id);
  const [countRow] = await ctx.db
    .select({ total: count() })
    .from(favorites)
    .innerJoin(documents, matchesDocument)
    .leftJoin(favoriteFolders, matchesFolder)
    .where(isPublic);
  const rows = await ctx.db
    .select({ favorite: favorites })
    .from(favorites)
    .innerJoin(documents, matchesDocument)
    .leftJoin(favoriteFolders, matchesFolder)
    .where(isPublic)
    .orderBy(...order)
    .limit(range.limit)
    .offset(range.offset);
  return { total: countRow?.total ?? 0, rows: rows.map(({ favorite }) => favorite) };
}

async function addDocumentsToFavorites(ctx: Context, rows: Row[]) {
  const ids = rows.map(({ document_id }) => document_id);
  const visibleRows =
    ids.length > 0 ? await selectDocuments(ctx).where(and(inArray(documents.id, ids), isVisibleToCaller(ctx))) : [];
  const documentRows = await withCallerPreviewLimit(ctx, await addCategoriesAndUrls(ctx, visibleRows));
  const byId = new Map(documentRows.map((row) => [row.id, row]));
  return rows.map((row) => {
    const document = byId.get(row.document_id);
    return {
      ...row,
      folder_id: row.folder_id ?? 0,
      title: document?.title ?? '',
      ext: document?.ext ?? '',
      score: document?.score ?? 0,
      size: document?.size ?? 0,
      pages: document?.pages ?? 0,
      document_uuid: document?.uuid ?? '',
      document,
    };
  });
}
