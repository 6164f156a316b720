import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { insertRecognizedTexts, readRecognizedTexts } from './recognized-text.ts';

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
