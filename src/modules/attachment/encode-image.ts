import pLimit from 'p-limit';
import { loadImageLibrary } from '#platform/server/load-image-library.ts';
import type { PictureExtension } from '#platform/server/storage/picture-upload-path.ts';
import { fileErrors } from './attachment.contract.ts';
import { type ImageInfo, inspectImage, MAX_PIXELS } from './inspect-image.ts';

/** Limit of the WebP format. */
const MAX_SIDE_PIXELS = 16_383;
/** Lossless compression of larger images takes too long for a request. */
const MAX_LOSSLESS_PIXELS = 4_000_000;
/** Decoding needs memory in proportion to the pixels. */
const MAX_CONCURRENT_ENCODINGS = 2;

export type EncodedImage = {
  bytes: Buffer;
  extension: PictureExtension;
  width: number;
  height: number;
};

const limitEncodings = pLimit(MAX_CONCURRENT_ENCODINGS);

/**
 * Re-encodes the picture, so that only its pixels remain: no location, no camera data, no hidden payload.
 * `preservePng` is for icons of the site, which old browsers need as PNG; `square` crops to a square of this many
 * pixels.
 */
export async function encodeImage(
  bytes: Buffer,
  { preservePng = false, square }: { preservePng?: boolean; square?: number },
): Promise<EncodedImage> {
  const info = await inspectImage(bytes);
  try {
    return await limitEncodings(() =>
      square === undefined ? reencode(bytes, info, preservePng) : cropSquare(bytes, info, square),
    );
  } catch {
    // The header was valid, but the rest is damaged.
    throw fileErrors.notImage('图片已损坏，无法读取');
  }
}

async function reencode(bytes: Buffer, info: ImageInfo, preservePng: boolean): Promise<EncodedImage> {
  const { format, frames, width, height } = info;
  const extension = format === 'gif' ? 'gif' : format === 'png' && preservePng ? 'png' : 'webp';
  const lossless = format === 'png' && width * height <= MAX_LOSSLESS_PIXELS;
  const source = (await createImageDecoder(bytes, info))
    .autoOrient()
    .resize({ width: MAX_SIDE_PIXELS, height: MAX_SIDE_PIXELS, fit: 'inside', withoutEnlargement: true });
  const encoder = {
    gif: () => source.gif(),
    png: () => source.png({ compressionLevel: 9 }),
    webp: () => source.webp({ quality: 85, lossless, effort: 4 }),
  }[extension];
  const { data, info: outputInfo } = await encoder().timeout({ seconds: 20 }).toBuffer({ resolveWithObject: true });
  return {
    bytes: data,
    extension,
    width: outputInfo.width,
    height: outputInfo.pageHeight ?? outputInfo.height / frames,
  };
}

/** Crops to the most salient part, without animation. */
async function cropSquare(bytes: Buffer, info: ImageInfo, side: number): Promise<EncodedImage> {
  const decoder = await createImageDecoder(bytes, { ...info, frames: 1 });
  const data = await decoder
    .autoOrient()
    .resize({ width: side, height: side, fit: 'cover', position: 'attention' })
    .webp({ quality: 85 })
    .timeout({ seconds: 20 })
    .toBuffer();
  return { bytes: data, extension: 'webp', width: side, height: side };
}

async function createImageDecoder(bytes: Buffer, { frames }: ImageInfo) {
  const openImage = await loadImageLibrary();
  return openImage(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: frames > 1 });
}
