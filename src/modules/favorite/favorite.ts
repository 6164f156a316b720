import { and, eq, inArray } from 'drizzle-orm';
import { findUser } from '#modules/account/account.ts';
import { lockUserRows } from '#modules/account/lock-users.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { awardDaily } from '#modules/credit/award-daily.ts';
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
import { roomIn } from './folder.ts';
import { concealFavorites, keyOf } from './hide-favorites.ts';

/** Notes a favorite; the author of the document is rewarded for the first ones of a day. */
export const addFavorite = (
  ctx: UserContext,
  { document_id, folder_id = 0 }: ParsedInputOf<typeof favoriteApi.create>,
) =>
  inRetriedTransaction(ctx, async (ctx) => {
    const [document] = await lockDocuments(ctx, [document_id]);
    if (!document || !canSee(ctx, document)) throw documentErrors.notFound();
    await lockUserRows(ctx, [ctx.user.id, document.user_id]);
    const folder = folder_id > 0 ? await roomIn(ctx, folder_id, 1) : null;
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
    // What lies in a folder of one's own is nobody else's business.
    const isOpen = folder === null || folder.is_public;
    if (isOpen)
      await recordActivity(ctx, {
        userId: ctx.user.id,
        type: 'favorite',
        payload: { document: { id: document_id, title: document.title } },
      });
    if (document.user_id !== ctx.user.id) {
      await rewardAuthor(ctx, document);
      if (isOpen && !(await findUser(ctx, ctx.user.id)).hide_favorite) await tellAuthor(ctx, document);
    }
    return { ...row, folder_id };
  });

/** Once for each reader and document, however often it is taken back and noted again. */
async function rewardAuthor(ctx: UserContext, { id, title, user_id }: DocumentRow): Promise<void> {
  const { score } = await getSettings(ctx);
  const award = await awardDaily(ctx, user_id, score.document_collected, {
    limit: score.document_collected_limit,
    key: keyOf(ctx, id),
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

async function tellAuthor(ctx: UserContext, { id, title, user_id }: DocumentRow): Promise<void> {
  await notify(ctx, {
    userId: user_id,
    actorId: ctx.user.id,
    kind: 'favorite',
    key: keyOf(ctx, id),
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

/** Own favorites with what they are about locked before them, in the one order of locks. */
async function lockOwn(ctx: UserContext, ids: number[]) {
  const own = and(inArray(favorites.id, ids), eq(favorites.user_id, ctx.user.id));
  const named = await ctx.db.select({ of: favorites.document_id }).from(favorites).where(own);
  await lockDocuments(
    ctx,
    named.map(({ of }) => of),
  );
  await lockUserRows(ctx, [ctx.user.id]);
  const rows = await ctx.db.select().from(favorites).where(own).orderBy(favorites.id).for('update');
  if (rows.length < new Set(ids).size) throw favoriteErrors.notFound();
  return rows;
}

export async function removeFavorites(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    const rows = await lockOwn(ctx, ids);
    await ctx.db.delete(favorites).where(inArray(favorites.id, ids));
    await concealFavorites(
      ctx,
      rows.map(({ document_id }) => document_id),
    );
  });
  return {};
}

/** Into one of the own folders, where the newest comes first; or out of all of them. */
export async function moveFavorites(
  ctx: UserContext,
  { id: ids, folder_id }: ParsedInputOf<typeof favoriteApi.update>,
) {
  await inTransaction(ctx, async (ctx) => {
    const rows = await lockOwn(ctx, ids);
    const moving = rows.filter((row) => (row.folder_id ?? 0) !== folder_id);
    if (moving.length === 0) return;
    const folder = folder_id > 0 ? await roomIn(ctx, folder_id, moving.length) : null;
    await ctx.db
      .update(favorites)
      .set({ folder_id: folder_id || null, sort: 0 })
      .where(
        inArray(
          favorites.id,
          moving.map(({ id }) => id),
        ),
      );
    if (folder && !folder.is_public)
      await concealFavorites(
        ctx,
        moving.map(({ document_id }) => document_id),
      );
  });
  return {};
}
