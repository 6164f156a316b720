import sharp from 'sharp';
import { fileErrors } from './attachment.contract.ts';
import { type IconPicture, iconPictures } from './inspect-icon.ts';

const HEADER = 40;
const OPAQUE = 255;
/** The entry of an icon has one byte for each side, in which 0 means 256. */
const MAX_SIDE = 256;

const strideOf = (width: number, bits: number) => Math.ceil((width * bits) / 32) * 4;

/** A bitmap of an icon as RGBA: rows from below, colours maybe from a palette, then the mask. */
function decodeBitmap({ bytes, width, height }: IconPicture): Buffer {
  const bits = bytes.readUInt16LE(14);
  const colours = bits > 8 ? 0 : bytes.readUInt32LE(32) || 2 ** bits;
  const stride = strideOf(width, bits);
  const maskStride = strideOf(width, 1);
  const pixels = HEADER + colours * 4;
  const mask = pixels + stride * height;
  const isKnown = [1, 4, 8, 24, 32].includes(bits) && bytes.readUInt32LE(16) === 0;
  // Icons whose pixels carry their transparency may leave the mask out.
  const hasMask = mask + maskStride * height <= bytes.length;
  if (!isKnown || colours > 256 || mask > bytes.length || (!hasMask && bits !== 32)) throw fileErrors.notImage();

  const byte = (at: number) => bytes[at] ?? 0;
  const paletteAt = (row: number, x: number) => {
    const bit = x * bits;
    const index = (byte(row + (bit >> 3)) >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
    return index < colours ? HEADER + index * 4 : pixels;
  };
  const target = Buffer.alloc(width * height * 4);
  let lacksAlpha = bits === 32;
  for (let y = 0; y < height; y++) {
    const row = pixels + stride * (height - 1 - y);
    for (let x = 0; x < width; x++) {
      const from = bits > 8 ? row + (x * bits) / 8 : paletteAt(row, x);
      const alpha = bits === 32 ? byte(from + 3) : OPAQUE;
      if (alpha > 0) lacksAlpha = false;
      target.set([byte(from + 2), byte(from + 1), byte(from), alpha], (y * width + x) * 4);
    }
  }
  // 32 bits without any transparency of their own: then the mask tells, as for the others.
  if (hasMask && (bits < 32 || lacksAlpha))
    for (let y = 0; y < height; y++) {
      const row = mask + maskStride * (height - 1 - y);
      for (let x = 0; x < width; x++) {
        const isClear = (byte(row + (x >> 3)) >> (7 - (x & 7))) & 1;
        target[(y * width + x) * 4 + 3] = isClear ? 0 : OPAQUE;
      }
    }
  return target;
}

async function redraw(picture: IconPicture) {
  const { width, height, isPng, bytes } = picture;
  const source = isPng
    ? sharp(bytes, { limitInputPixels: width * height, failOn: 'error' })
    : sharp(decodeBitmap(picture), { raw: { width, height, channels: 4 } });
  const { data, info } = await source
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .timeout({ seconds: 20 })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The icon drawn anew, each of its pictures as a PNG: nothing stays of the file but its pixels. */
export async function redrawIcon(bytes: Buffer) {
  const pictures = await Promise.all(iconPictures(bytes).map(redraw));
  const head = Buffer.alloc(6 + pictures.length * 16);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { data, width, height }] of pictures.entries()) {
    const at = 6 + index * 16;
    head.set([width % MAX_SIDE, height % MAX_SIDE], at);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(data.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += data.length;
  }
  const largest = pictures.reduce((one, other) => (other.width > one.width ? other : one));
  return {
    bytes: Buffer.concat([head, ...pictures.map(({ data }) => data)]),
    extension: 'ico' as const,
    width: largest.width,
    height: largest.height,
  };
}
