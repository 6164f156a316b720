import { fileErrors } from './attachment.contract.ts';

const MAX_ICON_BYTES = 1024 * 1024;
const MAX_IMAGES = 64;
const MAX_SIDE_PIXELS = 1024;
const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

type Size = { width: number; height: number };
/** `bytes` is a part of the icon file. */
export type IconPicture = Size & { bytes: Buffer; isPng: boolean };

/** Parses the pictures of an icon; each must lie inside the file, be a PNG or a bitmap, and be small. */
export function parseIconPictures(bytes: Buffer): IconPicture[] {
  if (bytes.length > MAX_ICON_BYTES) throw fileErrors.tooLarge('图标不能超过 1 MB');
  const count = bytes.length >= HEADER_BYTES ? bytes.readUInt16LE(4) : 0;
  const firstPictureOffset = HEADER_BYTES + count * ENTRY_BYTES;
  if (count < 1 || count > MAX_IMAGES || bytes.length < firstPictureOffset) throw fileErrors.notImage();
  return Array.from({ length: count }, (_, index) => {
    const entryOffset = HEADER_BYTES + index * ENTRY_BYTES;
    const size = bytes.readUInt32LE(entryOffset + 8);
    const offset = bytes.readUInt32LE(entryOffset + 12);
    if (offset < firstPictureOffset || size < 40 || offset + size > bytes.length) throw fileErrors.notImage();
    return inspectPicture(bytes.subarray(offset, offset + size));
  });
}

/** Returns the size of the largest picture. */
export function findLargestIconSize(bytes: Buffer): Size {
  const sizes = parseIconPictures(bytes).map(({ width, height }) => ({ width, height }));
  return sizes.reduce((largest, size) => (size.width > largest.width ? size : largest));
}

function inspectPicture(bytes: Buffer): IconPicture {
  const isPng = bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
  const { width, height } = isPng
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : // The height of a bitmap in an icon includes its mask.
      { width: bytes.readInt32LE(4), height: bytes.readInt32LE(8) / 2 };
  if (!isPng && bytes.readUInt32LE(0) !== 40) throw fileErrors.notImage();
  const isValidSize = [width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE_PIXELS);
  if (!isValidSize) throw fileErrors.notImage();
  return { width, height, bytes, isPng };
}
