import sharp from 'sharp';
import { createImageStore } from '../flow/image-store.ts';
import type { Zip } from '../flow/zip-reader.ts';
import { readDrawingPart } from '../sheet/drawing-part.ts';
import { PICTURE_FOLDER } from './picture-list.ts';
import type { Crop } from './read-anchors.ts';

const MAX_PIXELS = 40_000_000;

/** Stores the pictures of a workbook, each once. */
export function createPictureStore(zip: Zip, folder: string) {
  const images = createImageStore(`${folder}/${PICTURE_FOLDER}`, () => {});
  const storedKeys = new Set<string>();
  return {
    /** Returns the name of the stored picture; null for one that cannot be read. */
    async add(part: string, crop: Crop | null): Promise<string | null> {
      const key = crop ? `${part}?${JSON.stringify(crop)}` : part;
      if (!storedKeys.has(key)) {
        storedKeys.add(key);
        const bytes = await readDrawingPart(zip, part);
        if (bytes) await images.add(key, crop ? await cropPicture(bytes, crop) : bytes);
      }
      return images.nameOf(key);
    },
  };
}

/** What the author has cut off must not become visible. */
async function cropPicture(bytes: Buffer, { left, top, right, bottom }: Crop): Promise<Buffer | null> {
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 });
    const { width, height } = await picture.metadata();
    const [x, remainingWidth] = remainingPixels(width, left, right);
    const [y, remainingHeight] = remainingPixels(height, top, bottom);
    return await picture.extract({ left: x, top: y, width: remainingWidth, height: remainingHeight }).png().toBuffer();
  } catch {
    // A picture that cannot be decoded is left out; the cells stay.
    return null;
  }
}

/** First pixel and number of pixels that are not cut off. */
function remainingPixels(side: number, cutBefore: number, cutAfter: number): [number, number] {
  const first = Math.min(side - 1, Math.round(side * cutBefore));
  return [first, Math.max(1, Math.min(side - first, Math.round(side * (1 - cutBefore - cutAfter))))];
}
