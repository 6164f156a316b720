import { copyConversionState } from '#modules/document/copy-conversion-state.ts';
import { recordEventsOfCategories } from '#modules/document/record-events-of-categories.ts';
import {
  updateActivitiesOfDocuments,
  updateTitlesInNotifications,
} from '#modules/document/update-document-references.ts';
import { queueSketches } from '#modules/near-copy/sketch-documents.ts';
import { queueRecognition } from '#modules/recognition/queue-recognition.ts';
import { queueKeywordExtraction } from '#modules/related/queue-keyword-extraction.ts';
import { followDocumentChanges } from '#modules/search/index/follow-document-changes.ts';
import type { Context } from '#platform/server/context.ts';
import type { EventConsumer, SubjectEvents } from '#platform/server/events/deliver-events.ts';
import { invalidateDocumentPages } from './visitor-cache.ts';

/** For a consumer that reads the new state of the changed subjects. */
const withIds =
  (handle: (ctx: Context, ids: number[]) => Promise<void>) =>
  (ctx: Context, changes: readonly SubjectEvents[]): Promise<void> =>
    handle(
      ctx,
      changes.map(({ id }) => id),
    );

/**
 * What happens when a category, a rendition or a document changes, in this order. ARCHITECTURE shows the same list. A changed
 * category or rendition changes its documents, which causes events of these documents.
 */
export const eventConsumers: readonly EventConsumer[] = [
  { subject: 'category', name: 'documents of the category', handle: withIds(recordEventsOfCategories) },
  { subject: 'rendition', name: 'conversion state of documents', handle: withIds(copyConversionState) },
  { subject: 'document', name: 'text recognition', handle: queueRecognition },
  { subject: 'document', name: 'near-copies', handle: queueSketches },
  { subject: 'document', name: 'search', handle: followDocumentChanges },
  { subject: 'document', name: 'related documents', handle: queueKeywordExtraction },
  { subject: 'document', name: 'cached pages', handle: withIds(invalidateDocumentPages) },
  { subject: 'document', name: 'activities', handle: withIds(updateActivitiesOfDocuments) },
  { subject: 'document', name: 'notifications', handle: withIds(updateTitlesInNotifications) },
];
