const SIGNATURE_BYTES = 8;
/** Length and type before, checksum after the data of a chunk. */
const [CHUNK_HEAD_BYTES, CHUNK_TAIL_BYTES] = [8, 4];

/** The compressed rows of a PNG file. */
export function readPngImageData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at + CHUNK_HEAD_BYTES <= png.length; ) {
    const length = png.readUInt32BE(at);
    const start = at + CHUNK_HEAD_BYTES;
    if (png.toString('latin1', at + 4, start) === 'IDAT') parts.push(png.subarray(start, start + length));
    at = start + length + CHUNK_TAIL_BYTES;
  }
  return Buffer.concat(parts);
}
