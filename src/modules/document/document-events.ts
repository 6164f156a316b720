import type { Context } from '#platform/server/context.ts';
import { recordEvents } from '#platform/server/events/record-events.ts';

/** What happened to a document. The consumers in src/app/server/event-consumers.ts read the new state themselves. */
export type DocumentEventType =
  | 'created'
  /** Title, keywords or description. */
  | 'text-changed'
  /** Other fields that a user edits, such as price or visibility. */
  | 'changed'
  | 'file-changed'
  | 'reviewed'
  | 'categorized'
  | 'recommended'
  | 'conversion-state-changed'
  /** The text of all pages is available. */
  | 'converted'
  /** More pages, or other properties of the rendition. */
  | 'pages-changed'
  /** The document was grouped with others of nearly the same file, or left them. */
  | 'twins-changed'
  | 'deleted'
  | 'restored'
  | 'erased';

/** Must run in the transaction of the change. */
export const recordDocumentEvents = (
  ctx: Pick<Context, 'db'>,
  type: DocumentEventType,
  ids: readonly number[],
): Promise<void> => recordEvents(ctx, 'document', type, ids);
