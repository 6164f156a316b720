import { loadImageLibrary } from '#platform/server/load-image-library.ts';

/** Columns and rows of the reduced picture; neighbours in a row are compared. */
const [COLUMNS, ROWS] = [9, 8];
/** Pages below this deviation of their grey values are blank. */
const MIN_DEVIATION = 4;
/** Larger than any small page image. */
const MAX_INPUT_PIXELS = 4_000_000;
/** Bits in which two hashes of the same page may differ. */
const MAX_DISTANCE = 6;

/** 64 bits that say where a page is darker than to the left (difference hash); null for a blank page. */
export async function hashPicture(image: Buffer): Promise<bigint | null> {
  const openImage = await loadImageLibrary();
  const grey = openImage(image, { limitInputPixels: MAX_INPUT_PIXELS }).greyscale();
  const { channels } = await grey.stats();
  if ((channels[0]?.stdev ?? 0) < MIN_DEVIATION) return null;
  const pixels = await grey.resize(COLUMNS, ROWS, { fit: 'fill' }).raw().toBuffer();
  let hash = 0n;
  for (let row = 0; row < ROWS; row += 1)
    for (let column = 1; column < COLUMNS; column += 1) {
      const at = row * COLUMNS + column;
      hash = (hash << 1n) | ((pixels[at] ?? 0) < (pixels[at - 1] ?? 0) ? 1n : 0n);
    }
  return BigInt.asIntN(64, hash);
}

function distance(a: bigint, b: bigint): number {
  let difference = BigInt.asUintN(64, a ^ b);
  let bits = 0;
  for (; difference > 0n; difference &= difference - 1n) bits += 1;
  return bits;
}

/** Whether all compared pages look the same. */
export const haveEqualPictures = (a: readonly bigint[], b: readonly bigint[]): boolean =>
  a.length > 0 && a.length === b.length && a.every((hash, index) => distance(hash, b[index] ?? 0n) <= MAX_DISTANCE);

/** Of two hashes within the distance at least one of these parts is the same. */
export function pictureKeys(hash: bigint): number[] {
  const bits = BigInt.asUintN(64, hash);
  const parts = MAX_DISTANCE + 1;
  const width = Math.ceil(64 / parts);
  return Array.from({ length: parts }, (_, part) => {
    const value = Number((bits >> BigInt(part * width)) & ((1n << BigInt(width)) - 1n));
    return part * 2 ** width + value;
  });
}
