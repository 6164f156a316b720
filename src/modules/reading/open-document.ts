import { and, eq } from 'drizzle-orm';
import { emptyMeta } from '#modules/conversion/empty-meta.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { type RenditionMeta, renditionMeta } from '#modules/conversion/rendition-meta.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { type DocumentRow, documents } from '#modules/document/document.table.ts';
import { canRead, visibleTo } from '#modules/document/visibility.ts';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { readablePages } from './preview.ts';

export type OpenRendition = typeof renditions.$inferSelect;
/** `readable`: so many of its pages the caller may read now. */
export type OpenContent = { document: DocumentRow; content: OpenRendition; readable: number };

/** The pages of a document for this caller; null while there is nothing to read. */
export async function openDocument(ctx: Context, id: number): Promise<OpenContent | null> {
  const [found] = await ctx.db
    .select({ document: documents, content: renditions })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.content_id))
    .where(and(eq(documents.id, id), visibleTo(ctx)));
  if (!found) throw documentErrors.notFound();
  const { document, content } = found;
  if (!content || content.ready_pages === 0 || !canRead(ctx, document)) return null;
  return { document, content, readable: await readablePages(ctx, document, content.pages) };
}

const KEPT = 64;
const kept = new Map<string, RenditionMeta>();

/** What was made last of a finished content never changes, so a node keeps what many ask for. */
export async function readMeta(ctx: Context, content: OpenRendition): Promise<RenditionMeta> {
  const key = derivedKeys(content).meta;
  const known = kept.get(key);
  if (known) return known;
  const meta = await loadMeta(ctx, key);
  if (content.state === 'ready') {
    const oldest = kept.size >= KEPT ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(key, meta);
  }
  return meta;
}

async function loadMeta(ctx: Context, key: string): Promise<RenditionMeta> {
  try {
    return renditionMeta.parse(JSON.parse((await ctx.storage.read(key)).toString()));
  } catch (error) {
    if (error instanceof StorageNotFound) return emptyMeta();
    throw error;
  }
}

/** Entries of the contents list that lead to pages the caller may read; those that lead nowhere only with all. */
export const reachable = (
  outline: RenditionMeta['outline'],
  { readable, pages }: { readable: number; pages: number },
) => outline.filter(({ page }) => page <= readable && (page > 0 || readable >= pages));

/** The numbers of so many pages from one on, as far as they may be read. */
export const pagesFrom = (page: number, size: number, readable: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(size, readable - page + 1)) }, (_, at) => page + at);
