import { sql } from 'drizzle-orm';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { events } from '#platform/server/events/event.table.ts';
import { EVENTS_NOTIFICATION } from '#platform/server/events/record-events.ts';
import { documentCategories } from './document.table.ts';
import type { DocumentEventType } from './document-events.ts';

/** A renamed category changes the words of its documents, a moved one their categories. There may be very many. */
export async function recordEventsOfCategories(ctx: Context, categoryIds: readonly number[]): Promise<void> {
  const type: DocumentEventType = 'categorized';
  await ctx.db.execute(sql`
    insert into ${events} (subject, subject_id, type)
    select distinct 'document', ${documentCategories.document_id}, ${type}
    from ${documentCategories}
    where ${documentCategories.category_id} = any(${sql.param([...categoryIds])}::bigint[])`);
  await notifyInvalidation(ctx.db, EVENTS_NOTIFICATION);
}
