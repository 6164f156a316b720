import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { findUser } from '#modules/account/account.ts';
import { lockUserRows } from '#modules/account/lock-users.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { isUniqueViolation } from '#platform/server/db/db.ts';
import { favoriteErrors } from './favorite.contract.ts';
import { favoriteFolders, favorites } from './favorite.table.ts';
import { type folderApi, folderErrors, MAX_FOLDERS } from './folder.contract.ts';
import { concealFavorites } from './hide-favorites.ts';

const MAX_IN_FOLDER = 1_000;

const isOwn = (ctx: UserContext) => eq(favoriteFolders.user_id, ctx.user.id);

/** An own folder that has room for so many more; with the account locked, so that nobody fills it meanwhile. */
export async function roomIn(ctx: UserContext, id: number, more: number) {
  const [folder] = await ctx.db
    .select()
    .from(favoriteFolders)
    .where(and(eq(favoriteFolders.id, id), isOwn(ctx)))
    .for('no key update');
  if (!folder) throw folderErrors.notFound();
  if (folder.favorite_count + more > MAX_IN_FOLDER) throw favoriteErrors.folderFull();
  return folder;
}

const sayTaken = (error: unknown): never => {
  if (isUniqueViolation(error, 'favorite_folders_title_key')) throw folderErrors.exists();
  throw error;
};

export const createFolder = (ctx: UserContext, input: ParsedInputOf<typeof folderApi.create>) =>
  inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const own = await ctx.db.select({ sort: favoriteFolders.sort }).from(favoriteFolders).where(isOwn(ctx));
    if (own.length >= MAX_FOLDERS) throw folderErrors.tooMany();
    const sort = Math.max(0, ...own.map((folder) => folder.sort)) + 1;
    const [row] = await ctx.db
      .insert(favoriteFolders)
      .values({ ...input, sort, user_id: ctx.user.id })
      .returning()
      .catch(sayTaken);
    if (!row) throw new Error('the folder was not stored');
    return row;
  });

export async function updateFolder(ctx: UserContext, { id, ...changes }: ParsedInputOf<typeof folderApi.update>) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const [row] = await ctx.db
      .update(favoriteFolders)
      .set({ ...changes, updated_at: sql`now()` })
      .where(and(eq(favoriteFolders.id, id), isOwn(ctx)))
      .returning({ is_public: favoriteFolders.is_public })
      .catch(sayTaken);
    if (!row) throw folderErrors.notFound();
    if (row.is_public || changes.is_public === undefined) return;
    const within = await ctx.db
      .select({ of: favorites.document_id })
      .from(favorites)
      .where(eq(favorites.folder_id, id));
    await concealFavorites(
      ctx,
      within.map(({ of }) => of),
    );
  });
  return {};
}

/** All of them or none; the favorites in them stay. */
export async function removeFolders(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const gone = await ctx.db
      .delete(favoriteFolders)
      .where(and(inArray(favoriteFolders.id, ids), isOwn(ctx)))
      .returning({ id: favoriteFolders.id });
    if (gone.length < new Set(ids).size) throw folderErrors.notFound();
  });
  return {};
}

/** A folder with whose it is; one that is not public exists for its owner alone. */
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

export async function arrangeFolders(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const own = await ctx.db
      .select({ id: favoriteFolders.id })
      .from(favoriteFolders)
      .where(isOwn(ctx))
      .orderBy(asc(favoriteFolders.sort), asc(favoriteFolders.id));
    const known = own.map((folder) => folder.id);
    const asked = [...new Set(ids)];
    if (asked.some((each) => !known.includes(each))) throw folderErrors.notFound();
    const order = [...asked, ...known.filter((each) => !asked.includes(each))];
    await ctx.db.execute(sql`
      update ${favoriteFolders} set sort = next.place
      from unnest(${sql.param(order)}::bigint[]) with ordinality as next (id, place)
      where ${favoriteFolders.id} = next.id`);
  });
  return {};
}

/** One favorite gets another place in its folder; the others move up. */
export async function arrangeFavorite(ctx: UserContext, { id, position }: { id: number; position: number }) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id]);
    const [found] = await ctx.db
      .select({ folder_id: favorites.folder_id })
      .from(favorites)
      .where(and(eq(favorites.id, id), eq(favorites.user_id, ctx.user.id)));
    if (!found) throw favoriteErrors.notFound();
    if (found.folder_id === null) throw favoriteErrors.notInFolder();
    const rows = await ctx.db
      .select({ id: favorites.id })
      .from(favorites)
      .where(eq(favorites.folder_id, found.folder_id))
      .orderBy(...folderOrder);
    const others = rows.map((row) => row.id).filter((each) => each !== id);
    const order = others.toSpliced(position - 1, 0, id);
    await ctx.db.execute(sql`
      update ${favorites} set sort = next.place
      from unnest(${sql.param(order)}::bigint[]) with ordinality as next (id, place)
      where ${favorites.id} = next.id`);
  });
  return {};
}

/** As its owner has put them; what has no place yet comes first. */
export const folderOrder = [asc(favorites.sort), desc(favorites.id)];
