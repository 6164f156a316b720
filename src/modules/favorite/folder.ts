import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { findUser } from '#modules/account/account.ts';
import { announceUserPagesChange } from '#modules/account/announce-user-change.ts';
import { lockUserRows } from '#modules/account/lock-users.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { isUniqueViolation } from '#platform/server/db/db.ts';
import { favoriteErrors } from './favorite.contract.ts';
import { favoriteFolders, favorites } from './favorite.table.ts';
import { type folderApi, folderErrors, MAX_FOLDERS } from './folder.contract.ts';
import { retractFavorites } from './retract-favorites.ts';

const MAX_FAVORITES_PER_FOLDER = 1_000;

const isMyFolder = (ctx: UserContext) => eq(favoriteFolders.user_id, ctx.user.id);

/** Locks a folder of the user. Throws if it has no room for `addedCount` favorites. The caller holds the lock on the user. */
export async function lockFolderWithRoom(ctx: UserContext, id: number, addedCount: number) {
  const [folder] = await ctx.db
    .select()
    .from(favoriteFolders)
    .where(and(eq(favoriteFolders.id, id), isMyFolder(ctx)))
    .for('no key update');
  if (!folder) throw folderErrors.notFound();
  if (folder.favorite_count + addedCount > MAX_FAVORITES_PER_FOLDER) throw favoriteErrors.folderFull();
  return folder;
}

const throwIfTitleExists = (error: unknown): never => {
  if (isUniqueViolation(error, 'favorite_folders_title_key')) throw folderErrors.exists();
  throw error;
};

export const createFolder = (ctx: UserContext, input: ParsedInputOf<typeof folderApi.create>) =>
  inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const myFolders = await ctx.db.select({ sort: favoriteFolders.sort }).from(favoriteFolders).where(isMyFolder(ctx));
    if (myFolders.length >= MAX_FOLDERS) throw folderErrors.tooMany();
    const sort = Math.max(0, ...myFolders.map((folder) => folder.sort)) + 1;
    const [row] = await ctx.db
      .insert(favoriteFolders)
      .values({ ...input, sort, user_id: ctx.user.id })
      .returning()
      .catch(throwIfTitleExists);
    if (!row) throw new Error('the inserted folder was not returned');
    return row;
  });

export async function updateFolder(ctx: UserContext, { id, ...changes }: ParsedInputOf<typeof folderApi.update>) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const [row] = await ctx.db
      .update(favoriteFolders)
      .set({ ...changes, updated_at: sql`now()` })
      .where(and(eq(favoriteFolders.id, id), isMyFolder(ctx)))
      .returning({ is_public: favoriteFolders.is_public })
      .catch(throwIfTitleExists);
    if (!row) throw folderErrors.notFound();
    await announceUserPagesChange(ctx, ctx.user.id);
    if (row.is_public || changes.is_public === undefined) return;
    const documentRows = await ctx.db
      .select({ documentId: favorites.document_id })
      .from(favorites)
      .where(eq(favorites.folder_id, id));
    await retractFavorites(
      ctx,
      documentRows.map(({ documentId }) => documentId),
    );
  });
  return {};
}

/** Deletes all given folders or none. Their favorites stay without a folder. */
export async function removeFolders(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const deletedRows = await ctx.db
      .delete(favoriteFolders)
      .where(and(inArray(favoriteFolders.id, ids), isMyFolder(ctx)))
      .returning({ id: favoriteFolders.id });
    if (deletedRows.length < new Set(ids).size) throw folderErrors.notFound();
    await announceUserPagesChange(ctx, ctx.user.id);
  });
  return {};
}

/** A folder with its owner. A private folder is visible to its owner only. */
export async function getFolder(ctx: Context, { id }: { id: number }) {
  const [folder] = await ctx.db.select().from(favoriteFolders).where(eq(favoriteFolders.id, id));
  if (!folder || !(folder.is_public || folder.user_id === ctx.user?.id)) throw folderErrors.notFound();
  return { ...folder, user: await findUser(ctx, folder.user_id) };
}

export async function listFolders(ctx: Context, input: { user_id?: number }) {
  const userId = input.user_id || ctx.user?.id;
  if (!userId) throw httpErrors.loginRequired();
  const isOwner = userId === ctx.user?.id;
  const { hide_favorite } = await findUser(ctx, userId);
  if (hide_favorite && !isOwner) throw favoriteErrors.hidden();
  const rows = await ctx.db
    .select()
    .from(favoriteFolders)
    .where(and(eq(favoriteFolders.user_id, userId), isOwner ? undefined : eq(favoriteFolders.is_public, true)))
    .orderBy(asc(favoriteFolders.sort), asc(favoriteFolders.id));
  return { total: rows.length, folder: rows };
}

export async function reorderFolders(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const myFolders = await ctx.db
      .select({ id: favoriteFolders.id })
      .from(favoriteFolders)
      .where(isMyFolder(ctx))
      .orderBy(asc(favoriteFolders.sort), asc(favoriteFolders.id));
    const myIds = myFolders.map((folder) => folder.id);
    const requestedIds = [...new Set(ids)];
    if (requestedIds.some((each) => !myIds.includes(each))) throw folderErrors.notFound();
    const order = [...requestedIds, ...myIds.filter((each) => !requestedIds.includes(each))];
    await ctx.db.execute(sql`
      update ${favoriteFolders} set sort = next.place
      from unnest(${sql.param(order)}::bigint[]) with ordinality as next (id, place)
      where ${favoriteFolders.id} = next.id`);
  });
  return {};
}

/** Moves a favorite to a position in its folder; the others shift. */
export async function moveFavoriteToPosition(ctx: UserContext, { id, position }: { id: number; position: number }) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const [favorite] = await ctx.db
      .select({ folder_id: favorites.folder_id })
      .from(favorites)
      .where(and(eq(favorites.id, id), eq(favorites.user_id, ctx.user.id)));
    if (!favorite) throw favoriteErrors.notFound();
    if (favorite.folder_id === null) throw favoriteErrors.notInFolder();
    const rows = await ctx.db
      .select({ id: favorites.id })
      .from(favorites)
      .where(eq(favorites.folder_id, favorite.folder_id))
      .orderBy(...favoriteOrderInFolder);
    const otherIds = rows.map((row) => row.id).filter((each) => each !== id);
    const order = otherIds.toSpliced(position - 1, 0, id);
    await ctx.db.execute(sql`
      update ${favorites} set sort = next.place
      from unnest(${sql.param(order)}::bigint[]) with ordinality as next (id, place)
      where ${favorites.id} = next.id`);
  });
  return {};
}

/** Order that the owner arranged; favorites that were not arranged yet come first. */
export const favoriteOrderInFolder = [asc(favorites.sort), desc(favorites.id)];
