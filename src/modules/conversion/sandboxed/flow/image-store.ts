import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import type { ConverterEvent } from '../events.ts';

const MAX_PIXELS = 40_000_000;
const MAX_WIDTH = 1_240;
const MAX_IMAGES = 3_000;

/** Re-encodes the images of a book, so that no original data reaches the browser. */
export function createImageStore(folder: string, emit: (event: ConverterEvent) => void) {
  const names = new Map<string, string | null>();
  /** Images of several paths may be equal. The file of an announced image may already have been moved. */
  const announcedNames = new Set<string>();
  return {
    /** Name of the stored image of this path, or null. */
    nameOf: (path: string): string | null => names.get(path) ?? null,
    async add(path: string, bytes: Buffer | null): Promise<void> {
      if (names.has(path) || names.size >= MAX_IMAGES) return;
      names.set(path, bytes && (await encodeAndStore(folder, bytes, announcedNames, emit)));
    },
  };
}

async function encodeAndStore(
  folder: string,
  bytes: Buffer,
  announcedNames: Set<string>,
  emit: (event: ConverterEvent) => void,
) {
  try {
    const encodedImage = await sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 })
      .rotate()
      .resize({ width: MAX_WIDTH, height: 4 * MAX_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, effort: 2 })
      .toBuffer();
    const name = `i/${createHash('sha256').update(encodedImage).digest('hex').slice(0, 32)}.webp`;
    if (announcedNames.has(name)) return name;
    mkdirSync(`${folder}/i`, { recursive: true });
    writeFileSync(`${folder}/${name}`, encodedImage);
    announcedNames.add(name);
    emit({ type: 'file', name });
    return name;
  } catch {
    // An image that cannot be decoded is left out; the text around it stays.
    return null;
  }
}
