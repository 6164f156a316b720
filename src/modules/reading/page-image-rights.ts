import { LRUCache } from 'lru-cache';
import type { PageImageLink } from '#modules/conversion/page-image-urls.ts';
import type { WatermarkMode } from '#modules/settings/watermark-mode.contract.ts';
import { findWatermarkMode } from '#modules/watermark/find-watermark-mode.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { loadReadableDocument } from './load-readable-document.ts';

/** Also the time that a revoked right may still open images. Readers of one document share the query. */
const CACHE_TTL_MS = 2_000;
const MAX_CACHED_FILES = 5_000;

export type PageImageAccess = { watermark: WatermarkMode };
type ReadableFile = PageImageAccess & { hash: string; pages: number };
const cache = new LRUCache<string, Promise<ReadableFile | null>>({ max: MAX_CACHED_FILES, ttl: CACHE_TTL_MS });

const cacheKey = (ctx: Context, documentId: number) =>
  `${documentId} ${ctx.user?.sessionId ?? 0} ${ctx.config.dataDir}`;

/** Null if the caller may read no pages. */
const getCachedReadableFile = (ctx: Context, documentId: number): Promise<ReadableFile | null> =>
  cache.get(cacheKey(ctx, documentId)) ?? loadReadableFile(ctx, documentId);

function loadReadableFile(ctx: Context, documentId: number): Promise<ReadableFile | null> {
  const key = cacheKey(ctx, documentId);
  const file = loadReadableDocument(ctx, documentId).then(
    async (document) =>
      document && {
        hash: document.rendition.hash,
        pages: document.readable,
        watermark: await findWatermarkMode(ctx, document.document),
      },
    (error: unknown) => {
      // The caller may not see the document.
      if (error instanceof AppError && error.status < 500) return null;
      cache.delete(key);
      throw error;
    },
  );
  cache.set(key, file);
  return file;
}

/** How the caller sees the image that a link names; null if the caller may not see it. */
const accessTo = (file: ReadableFile | null, { page, hash }: PageImageLink): PageImageAccess | null =>
  file !== null && file.hash === hash && page <= file.pages ? file : null;

export const findPageImageAccess = async (ctx: Context, link: PageImageLink) =>
  accessTo(await getCachedReadableFile(ctx, link.documentId), link);

/** The same without the cache: a right that was granted a moment ago opens images immediately. */
export const findPageImageAccessUncached = async (ctx: Context, link: PageImageLink) =>
  accessTo(await loadReadableFile(ctx, link.documentId), link);
