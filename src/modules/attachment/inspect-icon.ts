import { fileErrors } from './attachment.contract.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_IMAGES = 64;
const MAX_SIDE = 1024;
const HEADER = 6;
const ENTRY = 16;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

type Size = { width: number; height: number };
/** One of the pictures of an icon, as bytes that lie inside the file. */
export type IconPicture = Size & { bytes: Buffer; isPng: boolean };

/** The pictures an icon lists: every one lies inside the file, is a PNG or a bitmap, and is small. */
export function iconPictures(bytes: Buffer): IconPicture[] {
  if (bytes.length > MAX_BYTES) throw fileErrors.tooLarge('图标不能超过 1 MB');
  const count = bytes.length >= HEADER ? bytes.readUInt16LE(4) : 0;
  const firstByte = HEADER + count * ENTRY;
  if (count < 1 || count > MAX_IMAGES || bytes.length < firstByte) throw fileErrors.notImage();
  return Array.from({ length: count }, (_, index) => {
    const at = HEADER + index * ENTRY;
    const size = bytes.readUInt32LE(at + 8);
    const offset = bytes.readUInt32LE(at + 12);
    if (offset < firstByte || size < 40 || offset + size > bytes.length) throw fileErrors.notImage();
    return inspectPicture(bytes.subarray(offset, offset + size));
  });
}

/** The size of the largest picture of an icon. */
export function inspectIcon(bytes: Buffer): Size {
  const sizes = iconPictures(bytes).map(({ width, height }) => ({ width, height }));
  return sizes.reduce((largest, size) => (size.width > largest.width ? size : largest));
}

function inspectPicture(bytes: Buffer): IconPicture {
  const isPng = bytes.subarray(0, PNG.length).equals(PNG);
  const { width, height } = isPng
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : // A bitmap in an icon counts its mask as a second half of its height.
      { width: bytes.readInt32LE(4), height: bytes.readInt32LE(8) / 2 };
  if (!isPng && bytes.readUInt32LE(0) !== 40) throw fileErrors.notImage();
  const isSound = [width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE);
  if (!isSound) throw fileErrors.notImage();
  return { width, height, bytes, isPng };
}
