import { and, inArray } from 'drizzle-orm';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { documents } from '#modules/document/document.table.ts';
import { type SelectedDocument, selectDocuments } from '#modules/document/select-documents.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import { insertRecognizedTexts, readRecognizedTexts } from '#modules/recognition/recognized-text.ts';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';

/** Longer texts are cut off here, after some thousand pages. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

export type TextSource = { id: number; hash: string; format: FileFormat; version: number; recognized_pages: number };

/** The text of all pages, separated by form feeds; empty if there is none yet. */
export async function readRenditionText(ctx: Context, source: TextSource): Promise<string> {
  const [text, recognizedTexts] = await Promise.all([readExtractedText(ctx, source), readRecognizedTexts(ctx, source)]);
  return insertRecognizedTexts(text, recognizedTexts);
}

async function readExtractedText({ storage }: Context, source: TextSource): Promise<string> {
  try {
    return (await storage.read(renditionStorageKeys(source).text, MAX_TEXT_BYTES)).toString('utf8');
  } catch (error) {
    if (error instanceof StorageNotFound) return '';
    throw error;
  }
}

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
