import sharp from 'sharp';
import type { PictureExtension } from '#platform/server/storage/upload-path.ts';
import { fileErrors } from './attachment.contract.ts';
import { decodeBmp } from './decode-bmp.ts';
import { type Inspected, inspectImage, MAX_PIXELS } from './inspect-image.ts';
import { redrawIcon } from './redraw-icon.ts';

/** WebP knows no longer side. */
const MAX_SIDE = 16_383;
/** Lossless compression of more than this takes too long to wait for. */
const MAX_LOSSLESS_PIXELS = 4_000_000;
/** Decoding needs memory by the pixel, so only a few at a time. */
const AT_ONCE = 2;

export type Encoded = {
  bytes: Buffer;
  extension: PictureExtension;
  width: number;
  height: number;
};

let running = 0;
const waiting: (() => void)[] = [];
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/**
 * Draws the picture anew, which leaves nothing of a file but its pixels: no position, no camera, no
 * hidden payload. `keepPng` is for icons of the site, which old browsers want as PNG; `square` cuts
 * a portrait of that many pixels.
 */
export async function encodeImage(
  bytes: Buffer,
  { keepPng = false, square }: { keepPng?: boolean; square?: number },
): Promise<Encoded> {
  const found = await inspectImage(bytes);
  if (square !== undefined && found.format === 'ico') throw fileErrors.notImage();
  try {
    return await inTurn(() => {
      // An icon holds several sizes, and keeps them.
      if (found.format === 'ico') return redrawIcon(bytes);
      return square === undefined ? redraw(bytes, found, keepPng) : cropSquare(bytes, found, square);
    });
  } catch {
    // The head was that of a picture, the rest is not.
    throw fileErrors.notImage('图片已损坏，无法读取');
  }
}

async function redraw(bytes: Buffer, found: Inspected, keepPng: boolean): Promise<Encoded> {
  const { format, frames, width, height } = found;
  const extension = format === 'gif' ? 'gif' : format === 'png' && keepPng ? 'png' : 'webp';
  const isDrawing = format === 'png' || format === 'bmp';
  const lossless = isDrawing && width * height <= MAX_LOSSLESS_PIXELS;
  const source = open(bytes, found)
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true });
  const encoder = {
    gif: () => source.gif(),
    png: () => source.png({ compressionLevel: 9 }),
    webp: () => source.webp({ quality: 85, lossless, effort: 4 }),
  }[extension];
  const { data, info } = await encoder().timeout({ seconds: 20 }).toBuffer({ resolveWithObject: true });
  return {
    bytes: data,
    extension,
    width: info.width,
    height: info.pageHeight ?? info.height / frames,
  };
}

/** A portrait: the part that draws the eye, still and square. */
async function cropSquare(bytes: Buffer, found: Inspected, side: number): Promise<Encoded> {
  const data = await open(bytes, { ...found, frames: 1 })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'cover', position: sharp.strategy.attention })
    .webp({ quality: 85 })
    .timeout({ seconds: 20 })
    .toBuffer();
  return { bytes: data, extension: 'webp', width: side, height: side };
}

function open(bytes: Buffer, { format, frames }: Inspected) {
  if (format === 'bmp') {
    const { size, pixels } = decodeBmp(bytes);
    return sharp(pixels(), { raw: { ...size, channels: 3 } });
  }
  return sharp(bytes, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'error',
    animated: frames > 1,
  });
}
