import type { Context } from '#platform/server/context.ts';
import { indexDocuments, SEARCH_INDEX_QUEUE } from './index-documents.ts';

/** Changes come in swarms: an upload alone makes several. */
const SOON_MS = 100;

/** Documents that change are taken up within a moment, not only by the clock. */
export function indexOnChange(ctx: Context): () => void {
  let waiting: NodeJS.Timeout | undefined;
  const send = () => {
    waiting = undefined;
    ctx.jobs.send(indexDocuments, {}, { key: 'all' }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'changed documents wait for the clock');
    });
  };
  const stop = ctx.live.onChange(SEARCH_INDEX_QUEUE, () => {
    waiting ??= setTimeout(send, SOON_MS).unref();
  });
  return () => {
    stop();
    clearTimeout(waiting);
  };
}
