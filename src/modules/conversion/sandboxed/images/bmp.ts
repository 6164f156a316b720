import { RejectedFileError } from '../rejection-reasons.ts';
import { unpackRunLengths } from './bmp-run-lengths.ts';

export type BmpHeader = {
  width: number;
  height: number;
  isTopDown: boolean;
  bitsPerPixel: number;
  compression: number;
  /** Positions of red, green and blue in a pixel of 16 or 32 bits. */
  masks: [number, number, number];
  /** Position and number of colours; four bytes each, three in files of OS/2. */
  palette: { start: number; length: number; entryBytes: 3 | 4 };
  dataStart: number;
};

const FILE_HEADER_BYTES = 14;
const OS2_HEADER_BYTES = 12;
const INFO_HEADER_BYTES = 40;
/** Values of the field biCompression. */
const [RGB, RLE8, RLE4, BITFIELDS, ALPHA_BITFIELDS] = [0, 1, 2, 3, 6];
const MASKS_16: BmpHeader['masks'] = [0x7c00, 0x03e0, 0x001f];
const MASKS_32: BmpHeader['masks'] = [0xff0000, 0x00ff00, 0x0000ff];

/** Reads the header of a BMP file, which the image library cannot read. */
export function readBmpHeader(bytes: Buffer): BmpHeader {
  if (bytes.length < FILE_HEADER_BYTES + OS2_HEADER_BYTES) throw new RejectedFileError('incomplete');
  const headerBytes = bytes.readUInt32LE(FILE_HEADER_BYTES);
  const isOs2 = headerBytes === OS2_HEADER_BYTES;
  if (!isOs2 && (headerBytes < INFO_HEADER_BYTES || headerBytes > 1_024)) throw new RejectedFileError('damaged');
  if (bytes.length < FILE_HEADER_BYTES + headerBytes) throw new RejectedFileError('incomplete');
  const width = isOs2 ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const signedHeight = isOs2 ? bytes.readUInt16LE(20) : bytes.readInt32LE(22);
  const bitsPerPixel = bytes.readUInt16LE(isOs2 ? 24 : 28);
  const compression = isOs2 ? RGB : bytes.readUInt32LE(30);
  const hasMasks = compression === BITFIELDS || compression === ALPHA_BITFIELDS;
  const maskBytes = hasMasks && headerBytes === INFO_HEADER_BYTES ? (compression === BITFIELDS ? 12 : 16) : 0;
  const declaredColours = isOs2 ? 0 : bytes.readUInt32LE(46);
  const colours = bitsPerPixel > 8 ? 0 : Math.min(declaredColours || 256, 2 ** bitsPerPixel);
  return {
    width,
    height: Math.abs(signedHeight),
    isTopDown: signedHeight < 0,
    bitsPerPixel,
    compression,
    masks: hasMasks ? readMasks(bytes) : bitsPerPixel === 16 ? MASKS_16 : MASKS_32,
    palette: { start: FILE_HEADER_BYTES + headerBytes + maskBytes, length: colours, entryBytes: isOs2 ? 3 : 4 },
    dataStart: bytes.readUInt32LE(10),
  };
}

function readMasks(bytes: Buffer): BmpHeader['masks'] {
  const start = FILE_HEADER_BYTES + INFO_HEADER_BYTES;
  if (bytes.length < start + 12) throw new RejectedFileError('incomplete');
  return [bytes.readUInt32LE(start), bytes.readUInt32LE(start + 4), bytes.readUInt32LE(start + 8)];
}

/** Returns the pixels as RGB, row by row from the top. The caller has checked the size in the header. */
export function decodeBmp(bytes: Buffer, header: BmpHeader): Buffer {
  const { width, height, bitsPerPixel, compression, isTopDown } = header;
  if (compression === RLE8 || compression === RLE4) {
    const indexes = unpackRunLengths(bytes.subarray(header.dataStart), header, compression === RLE4 ? 4 : 8);
    return toRgb(header, (row, column) => readColour(bytes, header, indexes[row * width + column] ?? 0));
  }
  if (![RGB, BITFIELDS, ALPHA_BITFIELDS].includes(compression) || ![1, 4, 8, 16, 24, 32].includes(bitsPerPixel))
    throw new RejectedFileError('damaged', `compression ${compression}, ${bitsPerPixel} bits`);
  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4;
  if (header.dataStart + rowBytes * height > bytes.length) throw new RejectedFileError('incomplete');
  const read = pixelReader(bytes, header);
  return toRgb(header, (row, column) =>
    read(header.dataStart + (isTopDown ? row : height - 1 - row) * rowBytes, column),
  );
}

/** Calls `colourAt` for each pixel, with the row counted from the top. */
function toRgb({ width, height }: BmpHeader, colourAt: (row: number, column: number) => number): Buffer {
  const pixels = Buffer.allocUnsafe(width * height * 3);
  let at = 0;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const colour = colourAt(row, column);
      pixels[at++] = colour >> 16;
      pixels[at++] = (colour >> 8) & 0xff;
      pixels[at++] = colour & 0xff;
    }
  return pixels;
}

/** The colour of a pixel as 0xRRGGBB. */
function pixelReader(bytes: Buffer, header: BmpHeader): (rowStart: number, column: number) => number {
  const { bitsPerPixel, masks } = header;
  if (bitsPerPixel <= 8) {
    const perByte = 8 / bitsPerPixel;
    return (rowStart, column) => {
      const shift = 8 - bitsPerPixel * ((column % perByte) + 1);
      const byte = bytes[rowStart + Math.floor(column / perByte)] ?? 0;
      return readColour(bytes, header, (byte >> shift) & (2 ** bitsPerPixel - 1));
    };
  }
  if (bitsPerPixel === 24) return (rowStart, column) => bytes.readUIntLE(rowStart + column * 3, 3);
  const [red, green, blue] = masks.map(scaleMaskedValue);
  const pixelBytes = bitsPerPixel / 8;
  return (rowStart, column) => {
    const value = bytes.readUIntLE(rowStart + column * pixelBytes, pixelBytes);
    return ((red?.(value) ?? 0) << 16) | ((green?.(value) ?? 0) << 8) | (blue?.(value) ?? 0);
  };
}

/** Extracts the bits of a mask and scales them to 8 bits. */
function scaleMaskedValue(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const max = (mask >>> shift) >>> 0;
  return (value) => Math.round(((((value & mask) >>> 0) >>> shift) * 255) / max);
}

function readColour(bytes: Buffer, { palette }: BmpHeader, index: number): number {
  const at = palette.start + index * palette.entryBytes;
  return index < palette.length && at + 3 <= bytes.length ? bytes.readUIntLE(at, 3) : 0;
}
