import { and, eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { emptyMeta } from '#modules/conversion/empty-meta.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { type RenditionMeta, renditionMeta } from '#modules/conversion/rendition-meta.ts';
import { type DocumentRow, documents } from '#modules/document/document.table.ts';
import { hiddenDocumentError } from '#modules/document/hidden-document-error.ts';
import { canRead, isVisibleToCaller } from '#modules/document/visibility.ts';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { countReadablePages } from './preview-limit.ts';

export type OpenRendition = typeof renditions.$inferSelect;
/** `readable`: number of pages that the caller may read now. */
export type OpenDocument = { document: DocumentRow; rendition: OpenRendition; readable: number };

/** Null while the document has no pages that the caller may read. */
export async function loadReadableDocument(ctx: Context, id: number): Promise<OpenDocument | null> {
  const [row] = await ctx.db
    .select({ document: documents, rendition: renditions })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(and(eq(documents.id, id), isVisibleToCaller(ctx)));
  if (!row) throw await hiddenDocumentError(ctx, id);
  const { document, rendition } = row;
  if (!rendition || rendition.ready_pages === 0 || !canRead(ctx, document)) return null;
  return { document, rendition, readable: await countReadablePages(ctx, document, rendition.pages) };
}

const MAX_CACHED_META = 64;
const metaCache = new LRUCache<string, RenditionMeta>({ max: MAX_CACHED_META });

/** The metadata of a finished rendition never changes, so it is cached. */
export async function readRenditionMeta(ctx: Context, rendition: OpenRendition): Promise<RenditionMeta> {
  const key = renditionStorageKeys(rendition).meta;
  const cachedMeta = metaCache.get(key);
  if (cachedMeta) return cachedMeta;
  const meta = await loadRenditionMeta(ctx, key);
  if (rendition.state === 'ready') metaCache.set(key, meta);
  return meta;
}

async function loadRenditionMeta(ctx: Context, key: string): Promise<RenditionMeta> {
  try {
    return renditionMeta.parse(JSON.parse((await ctx.storage.read(key)).toString()));
  } catch (error) {
    if (error instanceof StorageNotFound) return emptyMeta();
    throw error;
  }
}

/** Outline entries of pages that the caller may read; entries without a page only if the caller may read all. */
export const readableOutline = (
  outline: RenditionMeta['outline'],
  { readable, pages }: { readable: number; pages: number },
) => outline.filter(({ page }) => page <= readable && (page > 0 || readable >= pages));

/** Up to `size` page numbers from `page` on, limited to readable pages. */
export const readablePageNumbers = (page: number, size: number, readableCount: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(size, readableCount - page + 1)) }, (_, at) => page + at);
