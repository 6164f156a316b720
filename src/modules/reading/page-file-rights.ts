import type { ViewLink } from '#modules/conversion/view-urls.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { openDocument } from './open-document.ts';

/** How long a right that has ended may still open images; readers of one document share the query. */
const CACHE_TTL_MS = 2_000;
const MAX_CACHED = 5_000;

type ReadableFile = { hash: string; pages: number };
const cache = new Map<string, { until: number; file: Promise<ReadableFile | null> }>();

/** Which pages of a document the caller may read now; null for none. */
function readableFile(ctx: Context, documentId: number): Promise<ReadableFile | null> {
  const key = `${documentId} ${ctx.user?.sessionId ?? 0} ${ctx.config.dataDir}`;
  const cached = cache.get(key);
  if (cached && cached.until > Date.now()) return cached.file;
  const file = openDocument(ctx, documentId).then(
    (open) => open && { hash: open.content.hash, pages: open.readable },
    (error: unknown) => {
      // A document that the caller may not see.
      if (error instanceof AppError && error.status < 500) return null;
      cache.delete(key);
      throw error;
    },
  );
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, { until: Date.now() + CACHE_TTL_MS, file });
  return file;
}

/** Whether the caller may see the image that a link names. */
export async function mayView(ctx: Context, { documentId, page, hash }: ViewLink): Promise<boolean> {
  const file = await readableFile(ctx, documentId);
  return file !== null && file.hash === hash && page <= file.pages;
}
