import type { Zip } from '../flow/zip-reader.ts';
import { RejectedFileError } from '../rejection-reasons.ts';

/**
 * A part of a workbook that only drawings need; null for one that is missing or too large to be parsed.
 * The cells are shown all the same, and a sentence says where the drawings are.
 */
export async function readDrawingPart(zip: Zip, name: string): Promise<Buffer | null> {
  try {
    return await zip.read(name);
  } catch (error) {
    if (error instanceof RejectedFileError && error.refusal === 'bomb') return null;
    throw error;
  }
}
