import type { Context } from '#platform/server/context.ts';
import { SEARCH_INDEX_QUEUE } from './follow-document-changes.ts';
import { indexDocuments } from './index-documents.ts';

/** Debounce: one upload causes several changes. */
const DEBOUNCE_MS = 100;

/**
 * Starts the indexing job when a document changes, without waiting for the schedule. Returns a function that stops it.
 */
export function indexOnChange(ctx: Context): () => void {
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    timer = undefined;
    ctx.jobs.send(indexDocuments, {}, { key: 'all' }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'indexing job not started, changed documents wait for the schedule');
    });
  };
  const stop = ctx.liveCache.onInvalidation(SEARCH_INDEX_QUEUE, () => {
    timer ??= setTimeout(send, DEBOUNCE_MS).unref();
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
