/** The program that decodes HEIC holds a whole image in memory. */
const MAX_PIXELS = 100_000_000;
/** The properties of the images precede their data. */
export const HEIC_HEAD_BYTES = 256 * 1024;

/** Whether the head of a file declares more pixels than can be decoded. */
export function isHugeHeic(file: Buffer): boolean {
  const head = file.subarray(0, HEIC_HEAD_BYTES);
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4))
    if (head.readUInt32BE(at + 8) * head.readUInt32BE(at + 12) > MAX_PIXELS) return true;
  return false;
}
