import { fileErrors } from './file.contract.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_IMAGES = 64;
const MAX_SIDE = 1024;
const HEADER = 6;
const ENTRY = 16;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/**
 * Checks an icon, which is kept as it is: every picture it lists lies inside the file, is a PNG or a
 * bitmap, and is small. Returns the size of the largest.
 */
export function inspectIcon(bytes: Buffer): { width: number; height: number } {
  if (bytes.length > MAX_BYTES) throw fileErrors.tooLarge('图标不能超过 1 MB');
  const count = bytes.length >= HEADER ? bytes.readUInt16LE(4) : 0;
  if (count < 1 || count > MAX_IMAGES || bytes.length < HEADER + count * ENTRY)
    throw fileErrors.notImage();
  const sizes = Array.from({ length: count }, (_, index) =>
    inspectEntry(bytes, HEADER + index * ENTRY, HEADER + count * ENTRY),
  );
  return sizes.reduce((largest, size) => (size.width > largest.width ? size : largest));
}

function inspectEntry(bytes: Buffer, at: number, firstByte: number) {
  const size = bytes.readUInt32LE(at + 8);
  const offset = bytes.readUInt32LE(at + 12);
  if (offset < firstByte || size < 40 || offset + size > bytes.length) throw fileErrors.notImage();
  const { width, height } = sideLengths(bytes.subarray(offset, offset + size));
  const isSound = [width, height].every((side) => side >= 1 && side <= MAX_SIDE);
  if (!isSound) throw fileErrors.notImage();
  return { width, height };
}

function sideLengths(picture: Buffer) {
  if (picture.subarray(0, PNG.length).equals(PNG))
    return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
  if (picture.readUInt32LE(0) !== 40) throw fileErrors.notImage();
  // A bitmap in an icon counts its mask as a second half of its height.
  return { width: picture.readInt32LE(4), height: picture.readInt32LE(8) / 2 };
}
