import { notifyInvalidation } from '../cache/live-cache.ts';
import type { Context } from '../context.ts';
import { type EventSubject, events } from './event.table.ts';

/** Live-cache key: announcing it makes the nodes deliver events. */
export const EVENTS_NOTIFICATION = 'events';

/**
 * Writes one event for each subject in the caller's transaction, so that it is delivered if and only if the change is
 * committed. The caller has changed the rows of the subjects in this transaction, so the events of one subject have the
 * order of its changes.
 */
export async function recordEvents(
  { db }: Pick<Context, 'db'>,
  subject: EventSubject,
  type: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await db.insert(events).values(ids.map((subject_id) => ({ subject, subject_id, type })));
  await notifyInvalidation(db, EVENTS_NOTIFICATION);
}
