import { sql } from 'drizzle-orm';
import { activities } from '#modules/activity/activity.table.ts';
import { notifications } from '#modules/notification/notification.table.ts';
import type { Context } from '#platform/server/context.ts';
import { documents } from './document.table.ts';

const isOneOf = (ids: readonly number[]) => sql`${documents.id} = any(${sql.param(ids)}::bigint[])`;

/** Activities show the current title of a document, and are hidden while it is not public. */
export async function updateActivitiesOfDocuments(ctx: Context, ids: readonly number[]): Promise<void> {
  await ctx.db.execute(sql`
    update ${activities} as activity set
      is_hidden = not document_is_public(${documents.deleted_at}, ${documents.visibility}, ${documents.status}),
      payload = jsonb_set(activity.payload, '{document,title}', to_jsonb(${documents.title}))
    from ${documents}
    where activity.document_id = ${documents.id} and ${isOneOf(ids)}
      and (activity.is_hidden = document_is_public(${documents.deleted_at}, ${documents.visibility}, ${documents.status})
        or activity.payload -> 'document' ->> 'title' is distinct from ${documents.title})`);
}

/** Notifications show the current title of a document. */
export async function updateTitlesInNotifications(ctx: Context, ids: readonly number[]): Promise<void> {
  await ctx.db.execute(sql`
    update ${notifications} as notification
    set payload = jsonb_set(notification.payload, '{document,title}', to_jsonb(${documents.title}))
    from ${documents}
    where notification.payload ? 'document' and (notification.payload -> 'document' ->> 'id')::bigint = ${documents.id}
      and ${isOneOf(ids)}
      and notification.payload -> 'document' ->> 'title' is distinct from ${documents.title}`);
}
