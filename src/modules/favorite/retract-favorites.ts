import { deleteFavoriteActivities } from '#modules/activity/activity.ts';
import { retractNotifications } from '#modules/notification/retract-notifications.ts';
import type { UserContext } from '#platform/server/context.ts';

/** Key of the notification and of the reward for a favorite. */
export const favoriteKeyOf = (ctx: UserContext, documentId: number): string => `favorite:${documentId}:${ctx.user.id}`;

/** Deletes activities and notifications about favorites that were removed or became private. */
export async function retractFavorites(ctx: UserContext, documentIds: number[]): Promise<void> {
  await deleteFavoriteActivities(ctx, ctx.user.id, documentIds);
  await retractNotifications(
    ctx,
    documentIds.map((id) => favoriteKeyOf(ctx, id)),
  );
}
