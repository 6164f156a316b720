import { crc32 } from 'node:zlib';

type BmpOptions = { width: number; height: number; bits: 8 | 16 | 24 | 32 };

/** Builds a BMP file; a negative height stores the top row first. `rgb` may be shorter than the declared size. */
export function bmpFile(rgb: Buffer, { width, height, bits }: BmpOptions): Buffer {
  const rows = Math.min(Math.abs(height), Math.ceil(rgb.length / 3 / width));
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const palette = bits === 8 ? bmpPalette() : Buffer.alloc(0);
  const data = Buffer.alloc(rowBytes * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < width && (row * width + column) * 3 + 2 < rgb.length; column++) {
      const [red = 0, green = 0, blue = 0] = rgb.subarray((row * width + column) * 3);
      const at = (height < 0 ? row : rows - 1 - row) * rowBytes + (column * bits) / 8;
      if (bits === 8) data[at] = ((red >> 7) << 2) | ((green >> 7) << 1) | (blue >> 7);
      else if (bits === 16) data.writeUInt16LE(((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3), at);
      else data.set([blue, green, red], at);
    }
  return Buffer.concat([bmpHeader({ width, height, bits }, 0, palette.length / 4), palette, data]);
}

/** Builds a BMP file with run lengths: red, green, blue and yellow in the corners. */
export function bmpWithRunLengths(width: number, height: number): Buffer {
  const [red, green, blue, yellow] = [4, 2, 1, 6];
  const row = (left: number, right: number) => [
    // A run, then a literal run of the rest.
    ...[width / 2, left, 0, width / 2, ...Array.from({ length: width / 2 }, () => right), 0, 0],
  ];
  const rows = Array.from({ length: height }, (_, index) => (index < height / 2 ? row(blue, yellow) : row(red, green)));
  const palette = bmpPalette();
  const header = bmpHeader({ width, height, bits: 8 }, 1, palette.length / 4);
  return Buffer.concat([header, palette, Buffer.from([...rows.flat(), 0, 1])]);
}

/** One colour for each combination of full red, green and blue. */
const bmpPalette = () =>
  Buffer.from(
    Array.from({ length: 8 }, (_, index) => [
      (index & 1) * 255,
      ((index >> 1) & 1) * 255,
      (index >> 2) * 255,
      0,
    ]).flat(),
  );

function bmpHeader({ width, height, bits }: BmpOptions, compression: number, colours: number): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM', 0, 'latin1');
  header.writeUInt32LE(54 + colours * 4, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(compression, 30);
  header.writeUInt32LE(colours, 46);
  return header;
}

/** The beginning of a PNG file with a declared size and without pixels. */
export function pngWithDeclaredSize(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', data),
    pngChunk('IDAT', Buffer.from('789c030000000001', 'hex')),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

type DamagedStrip = 'behind the end' | 'empty' | 'absent';

/** Values of the fields StripOffsets, RowsPerStrip and StripByteCounts. */
const stripFields: Record<DamagedStrip, (height: number, bytes: number, at: number) => [number, number, number]> = {
  'behind the end': (height, bytes) => [0x7fffffff, height, bytes],
  empty: (height) => [0, height, 0],
  absent: (height, bytes, at) => [at, Math.floor(height / 2), bytes / 2],
};

/** Builds an uncompressed gray TIFF file with black pages of these sizes, each with one strip. */
export function multiPageTiff(
  sizes: [width: number, height: number][],
  { damagedPage = -1, strip = 'behind the end' }: { damagedPage?: number; strip?: DamagedStrip } = {},
): Buffer {
  const parts = [Buffer.from('49492a0008000000', 'hex')];
  let at = 8;
  sizes.forEach(([width, height], index) => {
    const directoryBytes = 2 + 9 * 12 + 4;
    const end = at + directoryBytes + width * height;
    const stripAt = at + directoryBytes;
    const [offset, rows, bytes] =
      index === damagedPage ? stripFields[strip](height, width * height, stripAt) : [stripAt, height, width * height];
    const entries: [tag: number, type: 3 | 4, value: number][] = [
      [256, 4, width],
      [257, 4, height],
      [258, 3, 8],
      [259, 3, 1],
      [262, 3, 1],
      [273, 4, offset],
      [277, 3, 1],
      [278, 4, rows],
      [279, 4, bytes],
    ];
    const directory = Buffer.alloc(directoryBytes);
    directory.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, type, value], position) => {
      const start = 2 + position * 12;
      directory.writeUInt16LE(tag, start);
      directory.writeUInt16LE(type, start + 2);
      directory.writeUInt32LE(1, start + 4);
      directory.writeUInt32LE(value, start + 8);
    });
    directory.writeUInt32LE(index === sizes.length - 1 ? 0 : end, directoryBytes - 4);
    parts.push(directory, Buffer.alloc(width * height));
    at = end;
  });
  return Buffer.concat(parts);
}
