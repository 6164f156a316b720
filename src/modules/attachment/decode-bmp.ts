import { fileErrors } from './attachment.contract.ts';

type Bmp = {
  size: { width: number; height: number };
  /** Decodes into RGB, three bytes per pixel. Call it after the size was checked. */
  pixels: () => Buffer;
};

const FILE_HEADER_BYTES = 14;

/** Decodes uncompressed Windows bitmaps of 8, 24 and 32 bits, which the image library does not support. */
export function decodeBmp(bytes: Buffer): Bmp {
  if (bytes.length < FILE_HEADER_BYTES + 40) throw fileErrors.notImage();
  const start = bytes.readUInt32LE(10);
  const headerSize = bytes.readUInt32LE(14);
  const width = bytes.readInt32LE(18);
  const signedHeight = bytes.readInt32LE(22);
  const bits = bytes.readUInt16LE(28);
  const compression = bytes.readUInt32LE(30);
  const height = Math.abs(signedHeight);
  // 3 is "bit fields"; 32-bit files use it to declare the standard byte order.
  const isSupported = compression === 0 || (compression === 3 && bits === 32);
  if (headerSize < 40 || !isSupported || ![8, 24, 32].includes(bits) || width < 1 || height < 1)
    throw fileErrors.notImage();
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (start < FILE_HEADER_BYTES + headerSize || start + stride * height > bytes.length) throw fileErrors.notImage();
  const palette = bytes.subarray(FILE_HEADER_BYTES + headerSize, start);

  const pixels = () => {
    const target = Buffer.alloc(width * height * 3);
    for (let y = 0; y < height; y++) {
      const row = start + stride * (signedHeight > 0 ? height - 1 - y : y);
      for (let x = 0; x < width; x++) {
        const source = bits === 8 ? palette : bytes;
        const from = bits === 8 ? (bytes[row + x] ?? 0) * 4 : row + (x * bits) / 8;
        const to = (y * width + x) * 3;
        target[to] = source[from + 2] ?? 0;
        target[to + 1] = source[from + 1] ?? 0;
        target[to + 2] = source[from] ?? 0;
      }
    }
    return target;
  };
  return { size: { width, height }, pixels };
}
