import { and, eq, inArray } from 'drizzle-orm';
import { findUser } from '#modules/account/account.ts';
import { announceUserPagesChange } from '#modules/account/announce-user-change.ts';
import { lockUserRows } from '#modules/account/lock-users.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { awardCreditWithDailyLimit } from '#modules/credit/award-credit-with-daily-limit.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { lockDocuments } from '#modules/document/lock-documents.ts';
import { canSee } from '#modules/document/visibility.ts';
import { notify } from '#modules/notification/notify.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type favoriteApi, favoriteErrors } from './favorite.contract.ts';
import { favorites } from './favorite.table.ts';
import { lockFolderWithRoom } from './folder.ts';
import { favoriteKeyOf, retractFavorites } from './retract-favorites.ts';

/** Adds a favorite. The author of the document is rewarded, up to a daily limit. */
export const addFavorite = (
  ctx: UserContext,
  { document_id, folder_id = 0 }: ParsedInputOf<typeof favoriteApi.create>,
) =>
  inRetriedTransaction(ctx, async (ctx) => {
    const [document] = await lockDocuments(ctx, [document_id]);
    if (!document || !canSee(ctx, document)) throw documentErrors.notFound();
    await lockUserRows(ctx, [ctx.user.id, document.user_id]);
    const folder = folder_id > 0 ? await lockFolderWithRoom(ctx, folder_id, 1) : null;
    const [row] = await ctx.db
      .insert(favorites)
      .values({
        user_id: ctx.user.id,
        document_id,
        folder_id: folder?.id ?? null,
        created_at: ctx.now().toISOString(),
      })
      .onConflictDoNothing({ target: [favorites.user_id, favorites.document_id] })
      .returning();
    if (!row) throw favoriteErrors.exists();
    // Favorites in private folders are not shown to others.
    const isPublic = folder === null || folder.is_public;
    if (isPublic)
      await recordActivity(ctx, {
        userId: ctx.user.id,
        type: 'favorite',
        payload: { document: { id: document_id, title: document.title } },
      });
    if (document.user_id !== ctx.user.id) {
      await rewardAuthor(ctx, document);
      if (isPublic && !(await findUser(ctx, ctx.user.id)).hide_favorite) await notifyAuthor(ctx, document);
    }
    return { ...row, folder_id };
  });

/** Pays once per reader and document, even if the favorite is removed and added again. */
async function rewardAuthor(ctx: UserContext, { id, title, user_id }: DocumentRow): Promise<void> {
  const { score } = await getSettings(ctx);
  const award = await awardCreditWithDailyLimit(ctx, user_id, score.document_collected, {
    limit: score.document_collected_limit,
    key: favoriteKeyOf(ctx, id),
    reason: 'document_collected',
    reference: `document:${id}`,
    note: title,
  });
  if (award > 0)
    await recordActivity(ctx, {
      userId: user_id,
      type: 'favorite',
      payload: { document: { id, title }, received: true, award },
    });
}

async function notifyAuthor(ctx: UserContext, { id, title, user_id }: DocumentRow): Promise<void> {
  await notify(ctx, {
    userId: user_id,
    actorId: ctx.user.id,
    kind: 'favorite',
    key: favoriteKeyOf(ctx, id),
    payload: { document: { id, title } },
  });
}

export async function getFavorite(ctx: UserContext, { document_id }: { document_id: number }) {
  const [row] = await ctx.db
    .select()
    .from(favorites)
    .where(and(eq(favorites.user_id, ctx.user.id), eq(favorites.document_id, document_id)));
  if (row) return { ...row, folder_id: row.folder_id ?? 0 };
  return { id: 0, user_id: ctx.user.id, document_id, folder_id: 0, created_at: null };
}

/** Locks documents, the user and the user's favorites in the global lock order. Throws unless all exist. */
async function lockMyFavorites(ctx: UserContext, ids: number[]) {
  const isMine = and(inArray(favorites.id, ids), eq(favorites.user_id, ctx.user.id));
  const documentRows = await ctx.db.select({ documentId: favorites.document_id }).from(favorites).where(isMine);
  await lockDocuments(
    ctx,
    documentRows.map(({ documentId }) => documentId),
  );
  await lockUserRows(ctx, [ctx.user.id]);
  const rows = await ctx.db.select().from(favorites).where(isMine).orderBy(favorites.id).for('update');
  if (rows.length < new Set(ids).size) throw favoriteErrors.notFound();
  return rows;
}

export async function removeFavorites(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    const rows = await lockMyFavorites(ctx, ids);
    await ctx.db.delete(favorites).where(inArray(favorites.id, ids));
    await retractFavorites(
      ctx,
      rows.map(({ document_id }) => document_id),
    );
  });
  return {};
}

/** Moves favorites to the top of a folder of the user, or out of any folder. */
export async function moveFavorites(
  ctx: UserContext,
  { id: ids, folder_id }: ParsedInputOf<typeof favoriteApi.update>,
) {
  await inTransaction(ctx, async (ctx) => {
    const rows = await lockMyFavorites(ctx, ids);
    const movedRows = rows.filter((row) => (row.folder_id ?? 0) !== folder_id);
    if (movedRows.length === 0) return;
    const folder = folder_id > 0 ? await lockFolderWithRoom(ctx, folder_id, movedRows.length) : null;
    await ctx.db
      .update(favorites)
      .set({ folder_id: folder_id || null, sort: 0 })
      .where(
        inArray(
          favorites.id,
          movedRows.map(({ id }) => id),
        ),
      );
    await announceUserPagesChange(ctx, ctx.user.id);
    if (folder && !folder.is_public)
      await retractFavorites(
        ctx,
        movedRows.map(({ document_id }) => document_id),
      );
  });
  return {};
}
