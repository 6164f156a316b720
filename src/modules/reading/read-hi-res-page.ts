import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { requestHiResPage } from '#modules/conversion/request-hi-res-page.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { rateLimitAddress, recordAttempt, undoAttempt } from '#platform/server/http/rate-limit.ts';
import { skipIfOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import { loadReadableDocument } from './load-readable-document.ts';
import { createReaderImageUrls } from './reader-image-urls.ts';
import type { readingApi } from './reading.contract.ts';

/** Rendering takes about a second; no reader turns zoomed-in pages faster than this. */
const RATE_LIMIT = { max: 60, seconds: 60 };

/** Returns the high-resolution image if it exists, otherwise requests its rendering. */
export async function readHiResPage(ctx: Context, { id, page }: ParsedInputOf<typeof readingApi.hiResPage>) {
  const document = await loadReadableDocument(ctx, id);
  const isReadable = document?.rendition.view === 'pages' && page <= document.readable;
  if (!isReadable) return { url: '', pending: false };
  const { rendition } = document;
  if (await ctx.storage.stat(renditionStorageKeys(rendition).hiResPage(page)))
    return {
      url: (await createReaderImageUrls(ctx, document)).hiResPage(rendition, { documentId: id, page }),
      pending: false,
    };
  // The normal page image is rendered first.
  if (rendition.state !== 'ready') return { url: '', pending: false };
  const isPending = await skipIfOutOfSpace(requestWithinRateLimit(ctx, rendition.id, page));
  return { url: '', pending: isPending ?? false };
}

/** Returns false when the reader has requested too many pages. */
async function requestWithinRateLimit(ctx: Context, renditionId: number, page: number): Promise<boolean> {
  // Many users may share an IP address; an account is one reader.
  const key = `sharp:${ctx.user ? `user ${ctx.user.id}` : rateLimitAddress(ctx.client.ip)}`;
  const { hits } = await recordAttempt(ctx, key, RATE_LIMIT);
  const isLimited = hits > RATE_LIMIT.max;
  const isQueued = !isLimited && (await requestHiResPage(ctx, renditionId, page));
  // Polling for a page that is already requested does not count.
  if (!isQueued) await undoAttempt(ctx, key);
  return !isLimited;
}
