import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compareNaturally } from '#platform/contract/compare-naturally.ts';
import type { ConverterEvent } from '../events.ts';
import type { Zip } from '../flow/zip-reader.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { isHugeHeic } from './heic-size.ts';
import type { AddPage } from './write-images-pdf.ts';

const MAX_IMAGE_BYTES = 100 * 1024 * 1024;
const HEIC_NAME = /\.hei[cf]$/i;

export const isHeicName = (name: string): boolean => HEIC_NAME.test(name);

/**
 * Writes the HEIC images of an archive as 1.heic, 2.heic … for the program that decodes them. The numbers are the positions of
 * the images in `names`.
 */
export async function extractHeicPages(
  zip: Zip,
  names: readonly string[],
  folder: string,
  emit: (event: ConverterEvent) => void,
): Promise<void> {
  await mkdir(folder);
  for (const [index, name] of names.entries()) {
    if (!isHeicName(name)) continue;
    emit({ type: 'start', page: index + 1 });
    const bytes = await readHeic(zip, name);
    if (bytes && !isHugeHeic(bytes)) await writeFile(path.join(folder, `${index + 1}.heic`), bytes);
  }
  emit({ type: 'heic-extracted' });
}

/** A damaged member is not decoded. */
async function readHeic(zip: Zip, name: string): Promise<Buffer | null> {
  try {
    return await zip.read(name, MAX_IMAGE_BYTES);
  } catch (error) {
    if (error instanceof RejectedFileError) return null;
    throw error;
  }
}

/** Adds the images that the program decoded from a HEIC file, which may contain several; rejects a page without any. */
export async function listDecodedPages(
  { zip, name, page, folder }: { zip: Zip; name: string; page: number; folder: string },
  addImage: (image: Buffer) => Promise<void>,
): Promise<AddPage[]> {
  const isDecoded = (file: string) => file === `${page}.jpg` || file.startsWith(`${page}-`);
  const files = (await readdir(folder)).filter(isDecoded).toSorted(compareNaturally);
  if (files.length > 0) return files.map((file) => async () => addImage(await readFile(path.join(folder, file))));
  return [
    async () => {
      const bytes = await zip.read(name, MAX_IMAGE_BYTES);
      throw new RejectedFileError(bytes && isHugeHeic(bytes) ? 'tooLarge' : 'damaged', name);
    },
  ];
}
