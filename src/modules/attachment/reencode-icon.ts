import sharp from 'sharp';
import { fileErrors } from './attachment.contract.ts';
import { type IconPicture, parseIconPictures } from './parse-icon.ts';

const BITMAP_HEADER_BYTES = 40;
const OPAQUE_ALPHA = 255;
/** An icon entry has one byte for each side, in which 0 means 256. */
const MAX_SIDE_PIXELS = 256;

const computeStride = (width: number, bits: number) => Math.ceil((width * bits) / 32) * 4;

/** Decodes a bitmap of an icon into RGBA: rows from bottom to top, optionally with a palette, followed by the mask. */
function decodeBitmap({ bytes, width, height }: IconPicture): Buffer {
  const bits = bytes.readUInt16LE(14);
  const colours = bits > 8 ? 0 : bytes.readUInt32LE(32) || 2 ** bits;
  const stride = computeStride(width, bits);
  const maskStride = computeStride(width, 1);
  const pixelOffset = BITMAP_HEADER_BYTES + colours * 4;
  const maskOffset = pixelOffset + stride * height;
  const isSupported = [1, 4, 8, 24, 32].includes(bits) && bytes.readUInt32LE(16) === 0;
  // Icons with an alpha channel may omit the mask.
  const hasMask = maskOffset + maskStride * height <= bytes.length;
  if (!isSupported || colours > 256 || maskOffset > bytes.length || (!hasMask && bits !== 32))
    throw fileErrors.notImage();

  const byteAt = (offset: number) => bytes[offset] ?? 0;
  const paletteAt = (row: number, x: number) => {
    const bit = x * bits;
    const index = (byteAt(row + (bit >> 3)) >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
    return index < colours ? BITMAP_HEADER_BYTES + index * 4 : pixelOffset;
  };
  const target = Buffer.alloc(width * height * 4);
  let isFullyTransparent = bits === 32;
  for (let y = 0; y < height; y++) {
    const row = pixelOffset + stride * (height - 1 - y);
    for (let x = 0; x < width; x++) {
      const from = bits > 8 ? row + (x * bits) / 8 : paletteAt(row, x);
      const alpha = bits === 32 ? byteAt(from + 3) : OPAQUE_ALPHA;
      if (alpha > 0) isFullyTransparent = false;
      target.set([byteAt(from + 2), byteAt(from + 1), byteAt(from), alpha], (y * width + x) * 4);
    }
  }
  // A 32-bit bitmap with an empty alpha channel uses the mask like the others.
  if (hasMask && (bits < 32 || isFullyTransparent))
    for (let y = 0; y < height; y++) {
      const row = maskOffset + maskStride * (height - 1 - y);
      for (let x = 0; x < width; x++) {
        const isTransparent = (byteAt(row + (x >> 3)) >> (7 - (x & 7))) & 1;
        target[(y * width + x) * 4 + 3] = isTransparent ? 0 : OPAQUE_ALPHA;
      }
    }
  return target;
}

async function reencodePicture(picture: IconPicture) {
  const { width, height, isPng, bytes } = picture;
  const source = isPng
    ? sharp(bytes, { limitInputPixels: width * height, failOn: 'error' })
    : sharp(decodeBitmap(picture), { raw: { width, height, channels: 4 } });
  const { data, info } = await source
    .resize({ width: MAX_SIDE_PIXELS, height: MAX_SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .timeout({ seconds: 20 })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Re-encodes each picture of an icon as PNG, so that only the pixels remain. */
export async function reencodeIcon(bytes: Buffer) {
  const pictures = await Promise.all(parseIconPictures(bytes).map(reencodePicture));
  const head = Buffer.alloc(6 + pictures.length * 16);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { data, width, height }] of pictures.entries()) {
    const entryOffset = 6 + index * 16;
    head.set([width % MAX_SIDE_PIXELS, height % MAX_SIDE_PIXELS], entryOffset);
    head.writeUInt16LE(1, entryOffset + 4);
    head.writeUInt16LE(32, entryOffset + 6);
    head.writeUInt32LE(data.length, entryOffset + 8);
    head.writeUInt32LE(offset, entryOffset + 12);
    offset += data.length;
  }
  const largest = pictures.reduce((a, b) => (b.width > a.width ? b : a));
  return {
    bytes: Buffer.concat([head, ...pictures.map(({ data }) => data)]),
    extension: 'ico' as const,
    width: largest.width,
    height: largest.height,
  };
}
