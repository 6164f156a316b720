import { copyConversionState } from '#modules/document/copy-conversion-state.ts';
import {
  updateActivitiesOfDocuments,
  updateNotificationsOfDocuments,
} from '#modules/document/update-document-references.ts';
import { queueKeywordExtraction } from '#modules/related/queue-keyword-extraction.ts';
import {
  followCategoryChanges,
  queueIndexing,
  updateSearchMetadata,
} from '#modules/search/index/follow-document-changes.ts';
import type { Context } from '#platform/server/context.ts';
import type { EventConsumer, SubjectEvents } from '#platform/server/events/deliver-events.ts';
import { invalidateDocumentPages } from './html-cache.ts';

/** For a consumer that reads the new state of the changed subjects, whatever happened to them. */
const withIds =
  (handle: (ctx: Context, ids: number[]) => Promise<void>) =>
  (ctx: Context, changes: readonly SubjectEvents[]): Promise<void> =>
    handle(
      ctx,
      changes.map(({ id }) => id),
    );

/**
 * What happens when a rendition, a document or a category changes, in this order. ARCHITECTURE shows the same list. A
 * changed rendition changes its documents, which causes events of these documents.
 */
export const eventConsumers: readonly EventConsumer[] = [
  { subject: 'rendition', name: 'conversion state of documents', handle: withIds(copyConversionState) },
  { subject: 'document', name: 'search queue', handle: queueIndexing },
  { subject: 'document', name: 'search metadata', handle: withIds(updateSearchMetadata) },
  { subject: 'document', name: 'related documents', handle: queueKeywordExtraction },
  { subject: 'document', name: 'cached pages', handle: withIds(invalidateDocumentPages) },
  { subject: 'document', name: 'activities', handle: withIds(updateActivitiesOfDocuments) },
  { subject: 'document', name: 'notifications', handle: withIds(updateNotificationsOfDocuments) },
  { subject: 'category', name: 'search of categories', handle: withIds(followCategoryChanges) },
];
