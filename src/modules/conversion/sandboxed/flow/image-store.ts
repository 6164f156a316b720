import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import type { ConverterEvent } from '../events.ts';

const MAX_PIXELS = 40_000_000;
const MAX_WIDTH = 1_240;
const MAX_PICTURES = 3_000;

/** Stores pictures of a book anew: whatever they were, they are plain images afterwards. */
export function pictureStore(folder: string, say: (event: ConverterEvent) => void) {
  const names = new Map<string, string | null>();
  /** Pictures of several paths may be the same; the file of one is gone once it was announced. */
  const announcedNames = new Set<string>();
  return {
    /** The name under which the picture of this path is stored, or null when there is none. */
    nameOf: (path: string): string | null => names.get(path) ?? null,
    async add(path: string, bytes: Buffer | null): Promise<void> {
      if (names.has(path) || names.size >= MAX_PICTURES) return;
      names.set(path, bytes && (await store(folder, bytes, announcedNames, say)));
    },
  };
}

async function store(folder: string, bytes: Buffer, announcedNames: Set<string>, say: (event: ConverterEvent) => void) {
  try {
    const encoded = await sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 })
      .rotate()
      .resize({ width: MAX_WIDTH, height: 4 * MAX_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, effort: 2 })
      .toBuffer();
    const name = `i/${createHash('sha256').update(encoded).digest('hex').slice(0, 32)}.webp`;
    if (announcedNames.has(name)) return name;
    mkdirSync(`${folder}/i`, { recursive: true });
    writeFileSync(`${folder}/${name}`, encoded);
    announcedNames.add(name);
    say({ type: 'file', name });
    return name;
  } catch {
    // A picture that cannot be read is left out; the text around it stays.
    return null;
  }
}
