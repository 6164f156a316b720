import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { pageName } from '../page-name.ts';
import type { Bitmap } from './pdf-page.ts';

const SMALL_WIDTH = 320;
const COVER_WIDTH = 420;
/** Long pages show their beginning on a cover. */
const COVER_MAX_HEIGHT = 840;
const SAMPLES = 20_000;
/** Text and drawings keep to few colours; photographs do not. */
const MANY_COLOURS = 220;
const LARGE_BYTES = 400_000;

// One picture is one thread; several pictures are encoded side by side.
sharp.concurrency(1);
sharp.cache(false);

/** Text is smaller and sharper without loss, pictures only with it. */
function looksLikePhoto({ pixels }: Bitmap): boolean {
  const colours = new Set<number>();
  const step = 4 * Math.max(1, Math.floor(pixels.length / 4 / SAMPLES));
  for (let at = 0; at + 2 < pixels.length; at += step) {
    const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
    colours.add(((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3));
    if (colours.size > MANY_COLOURS) return true;
  }
  return false;
}

const picture = ({ width, height, pixels }: Bitmap) =>
  sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();

const lossy = { quality: 80, effort: 2 } as const;

async function encodeLarge(bitmap: Bitmap): Promise<Buffer> {
  if (looksLikePhoto(bitmap)) return picture(bitmap).webp(lossy).toBuffer();
  const exact = await picture(bitmap).webp({ lossless: true, effort: 2 }).toBuffer();
  if (exact.length < LARGE_BYTES) return exact;
  const smaller = await picture(bitmap).webp(lossy).toBuffer();
  return smaller.length < exact.length ? smaller : exact;
}

/** Writes the two images of a page into the work folder. */
export async function writePage(folder: string, page: number, bitmap: Bitmap): Promise<void> {
  const [large, small] = await Promise.all([
    encodeLarge(bitmap),
    picture(bitmap)
      .resize({ width: Math.min(SMALL_WIDTH, bitmap.width) })
      .webp({ quality: 60, effort: 1 })
      .toBuffer(),
  ]);
  for (const name of ['p', 's']) mkdirSync(`${folder}/${name}`, { recursive: true });
  await writeFile(`${folder}/p/${pageName(page)}.webp`, large);
  await writeFile(`${folder}/s/${pageName(page)}.webp`, small);
}

/** Writes the larger image of a page. */
export async function writeHiResPage(folder: string, page: number, bitmap: Bitmap): Promise<void> {
  mkdirSync(`${folder}/l`, { recursive: true });
  await writeFile(`${folder}/l/${pageName(page)}.webp`, await encodeLarge(bitmap));
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

export const pageCover = (folder: string, bitmap: Bitmap) => writeCover(folder, picture(bitmap));
