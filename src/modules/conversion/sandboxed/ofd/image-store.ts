import sharp, { type Metadata, type Sharp } from 'sharp';
import { decodeBmp, readBmpHeader } from '../images/bmp.ts';
import type { PdfResource, PdfWriter } from '../pdf-writer/pdf-writer.ts';
import { readJbig2 } from './jbig2.ts';

const MAX_INPUT_PIXELS = 100_000_000;
/** All pixels of a BMP are in memory. */
const MAX_BMP_PIXELS = 40_000_000;
/** Larger pictures are reduced, because their pixels are in memory; a JPEG is passed on as it is. */
const MAX_SIDE = 4_096;

export type ImageStore = ReturnType<typeof createImageStore>;

/** Writes each picture once. */
export function createImageStore(writer: PdfWriter) {
  const images = new Map<string, PdfResource | null>();
  return {
    /** Null for a picture that cannot be read. `key` names the bytes, and the mask, in all documents of the file. */
    async add(key: string, bytes: Buffer, mask: Buffer | null = null): Promise<PdfResource | null> {
      if (!images.has(key)) images.set(key, await addImage(writer, bytes, mask).catch(() => null));
      return images.get(key) ?? null;
    },
  };
}

async function addImage(writer: PdfWriter, bytes: Buffer, mask: Buffer | null): Promise<PdfResource> {
  if (isJbig2(bytes)) {
    const { segments, ...size } = readJbig2(bytes);
    return writer.addJbig2(segments, size);
  }
  const input = openPicture(bytes);
  const metadata = await input.metadata();
  const { format, width, height, channels } = metadata;
  if (format === 'jpeg' && mask === null && (channels === 1 || channels === 3))
    return writer.addJpeg(bytes, { width, height, channels });
  return writer.addPixels(await readPixels(input, metadata, mask));
}

function openPicture(bytes: Buffer): Sharp {
  if (bytes.subarray(0, 2).toString('latin1') !== 'BM')
    return sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'none' });
  const header = readBmpHeader(bytes);
  const { width, height } = header;
  if (width * height > MAX_BMP_PIXELS) throw new Error('too many pixels');
  return sharp(decodeBmp(bytes, header), { raw: { width, height, channels: 3 } });
}

/** Programs write JBIG2 with or without the header of a file. */
const isJbig2 = (bytes: Buffer) =>
  bytes.subarray(0, 4).toString('latin1') === '\x97JB2' ||
  (bytes.length > 11 && bytes.readUInt32BE(0) === 0 && (bytes.readUInt8(4) & 0x3f) === 48);

async function readPixels(input: Sharp, { width, height }: Metadata, mask: Buffer | null) {
  const { data, info } = await input
    .resize({ width: Math.min(MAX_SIDE, width), height: Math.min(MAX_SIDE, height), fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const count = info.width * info.height;
  const pixels = Buffer.alloc(count * 3);
  const alpha = Buffer.alloc(count);
  for (let pixel = 0; pixel < count; pixel++) {
    data.copy(pixels, pixel * 3, pixel * 4, pixel * 4 + 3);
    alpha[pixel] = data[pixel * 4 + 3] ?? 255;
  }
  if (mask) applyMask(alpha, await readMask(mask, info));
  const isOpaque = alpha.every((value) => value === 255);
  return { width: info.width, height: info.height, channels: 3 as const, pixels, ...(!isOpaque && { alpha }) };
}

/** White pixels of the mask hide those of the picture. */
const readMask = (mask: Buffer, { width, height }: { width: number; height: number }): Promise<Buffer> =>
  sharp(mask, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'none' })
    .resize({ width, height, fit: 'fill' })
    .flatten({ background: '#fff' })
    .greyscale()
    .raw({ depth: 'uchar' })
    .toBuffer();

function applyMask(alpha: Buffer, mask: Buffer): void {
  for (let pixel = 0; pixel < alpha.length; pixel++)
    alpha[pixel] = Math.round(((alpha[pixel] ?? 0) * (255 - (mask[pixel] ?? 0))) / 255);
}
