import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { pageName } from '../page-name.ts';
import type { Bitmap } from './pdf-page.ts';

const SMALL_WIDTH = 320;
const COVER_WIDTH = 420;
/** The cover of a long page shows its beginning. */
const COVER_MAX_HEIGHT = 840;
const COLOUR_SAMPLES = 20_000;
/** Text and drawings have few colours; photographs have more. */
const PHOTO_MIN_COLOURS = 220;
const MAX_LOSSLESS_BYTES = 400_000;

// Each image uses one thread; several images are encoded in parallel.
sharp.concurrency(1);
sharp.cache(false);

/** Text is smaller and clearer with lossless encoding, photographs are smaller with lossy encoding. */
function looksLikePhoto({ pixels }: Bitmap): boolean {
  const colours = new Set<number>();
  const step = 4 * Math.max(1, Math.floor(pixels.length / 4 / COLOUR_SAMPLES));
  for (let at = 0; at + 2 < pixels.length; at += step) {
    const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
    colours.add(((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3));
    if (colours.size > PHOTO_MIN_COLOURS) return true;
  }
  return false;
}

const createImageEncoder = ({ width, height, pixels }: Bitmap) =>
  sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();

const LOSSY_OPTIONS = { quality: 80, effort: 2 } as const;

async function encodeLargePageImage(bitmap: Bitmap): Promise<Buffer> {
  if (looksLikePhoto(bitmap)) return createImageEncoder(bitmap).webp(LOSSY_OPTIONS).toBuffer();
  const losslessImage = await createImageEncoder(bitmap).webp({ lossless: true, effort: 2 }).toBuffer();
  if (losslessImage.length < MAX_LOSSLESS_BYTES) return losslessImage;
  const lossyImage = await createImageEncoder(bitmap).webp(LOSSY_OPTIONS).toBuffer();
  return lossyImage.length < losslessImage.length ? lossyImage : losslessImage;
}

export async function writePageImages(folder: string, page: number, bitmap: Bitmap): Promise<void> {
  const [large, small] = await Promise.all([
    encodeLargePageImage(bitmap),
    createImageEncoder(bitmap)
      .resize({ width: Math.min(SMALL_WIDTH, bitmap.width) })
      .webp({ quality: 60, effort: 1 })
      .toBuffer(),
  ]);
  for (const name of ['p', 's']) mkdirSync(`${folder}/${name}`, { recursive: true });
  await writeFile(`${folder}/p/${pageName(page)}.webp`, large);
  await writeFile(`${folder}/s/${pageName(page)}.webp`, small);
}

export async function writeHiResPage(folder: string, page: number, bitmap: Bitmap): Promise<void> {
  mkdirSync(`${folder}/l`, { recursive: true });
  await writeFile(`${folder}/l/${pageName(page)}.webp`, await encodeLargePageImage(bitmap));
}

export async function writeCover(folder: string, source: Sharp): Promise<void> {
  const cover = await source
    .flatten({ background: '#ffffff' })
    .resize({ width: COVER_WIDTH })
    .webp({ quality: 80, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  const isLong = cover.info.height > COVER_MAX_HEIGHT;
  const bytes = isLong
    ? await sharp(cover.data)
        .extract({ left: 0, top: 0, width: cover.info.width, height: COVER_MAX_HEIGHT })
        .webp({ quality: 80, effort: 2 })
        .toBuffer()
    : cover.data;
  await writeFile(`${folder}/cover.webp`, bytes);
}

export const writePageCover = (folder: string, bitmap: Bitmap) => writeCover(folder, createImageEncoder(bitmap));
