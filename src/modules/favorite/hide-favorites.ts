import { deleteFavoriteActivities } from '#modules/activity/activity.ts';
import { retractNotifications } from '#modules/notification/retract-notifications.ts';
import type { UserContext } from '#platform/server/context.ts';

/** Names a favorite among all that authors are told of and paid for. */
export const keyOf = (ctx: UserContext, documentId: number): string => `favorite:${documentId}:${ctx.user.id}`;

/** What was taken back, or lies in a folder of one's own from now on, is in no feed and no message. */
export async function concealFavorites(ctx: UserContext, documentIds: number[]): Promise<void> {
  await deleteFavoriteActivities(ctx, ctx.user.id, documentIds);
  await retractNotifications(
    ctx,
    documentIds.map((id) => keyOf(ctx, id)),
  );
}
