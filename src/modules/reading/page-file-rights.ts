import type { ViewLink } from '#modules/conversion/view-urls.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { openDocument } from './open-document.ts';

/** Also the time that a revoked right may still open images. Readers of one document share the query. */
const CACHE_TTL_MS = 2_000;
const MAX_CACHED_FILES = 5_000;

type ReadableFile = { hash: string; pages: number };
const cache = new Map<string, { expiresAt: number; file: Promise<ReadableFile | null> }>();

/** Null if the caller may read no pages. */
function readableFile(ctx: Context, documentId: number): Promise<ReadableFile | null> {
  const key = `${documentId} ${ctx.user?.sessionId ?? 0} ${ctx.config.dataDir}`;
  const cached = cache.get(key);
  if (cached && cached.expiresAt > Date.now()) return cached.file;
  const file = openDocument(ctx, documentId).then(
    (opened) => opened && { hash: opened.rendition.hash, pages: opened.readable },
    (error: unknown) => {
      // The caller may not see the document.
      if (error instanceof AppError && error.status < 500) return null;
      cache.delete(key);
      throw error;
    },
  );
  if (cache.size >= MAX_CACHED_FILES) cache.clear();
  cache.set(key, { expiresAt: Date.now() + CACHE_TTL_MS, file });
  return file;
}

/** Whether the caller may see the image that a link names. */
export async function canViewFile(ctx: Context, { documentId, page, hash }: ViewLink): Promise<boolean> {
  const file = await readableFile(ctx, documentId);
  return file !== null && file.hash === hash && page <= file.pages;
}
