import { and, inArray } from 'drizzle-orm';
import { documents } from '#modules/document/document.table.ts';
import { type SelectedDocument, selectDocuments } from '#modules/document/select-documents.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import { readRenditionText } from '#modules/recognition/read-rendition-text.ts';
import type { Context } from '#platform/server/context.ts';

/** Documents that the caller may see, by id. */
export async function readVisibleDocuments(ctx: Context, ids: number[]) {
  if (ids.length === 0) return new Map<number, SelectedDocument>();
  const rows = await selectDocuments(ctx).where(and(inArray(documents.id, ids), isVisibleToCaller(ctx)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Does not check whether the caller may read the pages. */
export const readDocumentText = (ctx: Context, row: SelectedDocument): Promise<string> => {
  const { cover_hash: hash, cover_version: version, format, recognized_pages } = row;
  const id = row.rendition_id ?? 0;
  return hash ? readRenditionText(ctx, { id, hash, version, format, recognized_pages }) : Promise.resolve('');
};
