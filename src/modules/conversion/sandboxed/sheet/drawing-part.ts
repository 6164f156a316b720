import type { Zip } from '../flow/zip-reader.ts';
import { RejectedFileError } from '../rejection-reasons.ts';

/**
 * Reads a part of a workbook that only drawings need; null for a part that is missing or too large. The cells are still
 * shown, with a notice about the drawings.
 */
export async function readDrawingPart(zip: Zip, name: string): Promise<Buffer | null> {
  try {
    return await zip.read(name);
  } catch (error) {
    if (error instanceof RejectedFileError && error.reason === 'bomb') return null;
    throw error;
  }
}
