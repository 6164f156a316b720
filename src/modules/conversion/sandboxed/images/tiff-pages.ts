import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Whether data of the page is missing in the file. The image library draws such a page without an error, in black. */
export type TiffPage = { isIncomplete: boolean };

type TiffBytes = { size: number; read(at: number, length: number): Buffer };
type TiffField = { type: number; count: number; value: Buffer };
type Layout = {
  bytes: TiffBytes;
  isLittleEndian: boolean;
  /** Of an offset: 4, in files over 4 GB 8. */
  offsetBytes: 4 | 8;
};

const TAGS = { width: 256, height: 257, samples: 277, rowsPerStrip: 278, planes: 284, tileWidth: 322, tileHeight: 323 };
const STRIPS = { offsets: 273, lengths: 279 };
const TILES = { offsets: 324, lengths: 325 };
const SEPARATE_PLANES = 2;
/** Bytes of a value by its type: short, long, long of 64 bits. */
const bytesOfType: Record<number, number> = { 3: 2, 4: 4, 16: 8 };
const MAX_FIELDS = 4_096;
const MAX_PARTS = 1_000_000;

/** The pages of a TIFF file up to a maximum. A page whose directory cannot be read is the last one. */
export function listTiffPages(source: string | Buffer, maxPages: number): TiffPage[] {
  if (typeof source !== 'string')
    return readPages({ size: source.length, read: (at, length) => source.subarray(at, at + length) }, maxPages);
  const file = openSync(source, 'r');
  try {
    const read = (at: number, length: number) => {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(file, buffer, 0, length, at));
    };
    return readPages({ size: fstatSync(file).size, read }, maxPages);
  } finally {
    closeSync(file);
  }
}

function readPages(bytes: TiffBytes, maxPages: number): TiffPage[] {
  const header = bytes.read(0, 16).toString('latin1');
  const isLittleEndian = header.startsWith('II');
  const isLarge = header.startsWith('II+') || header.startsWith('MM\0+');
  const layout: Layout = { bytes, isLittleEndian, offsetBytes: isLarge ? 8 : 4 };
  const pages: TiffPage[] = [];
  const visitedOffsets = new Set<number>();
  let at = readNumber(layout, isLarge ? 8 : 4, layout.offsetBytes);
  while (at !== 0 && pages.length < maxPages && (at === null || !visitedOffsets.has(at))) {
    const directory = at === null ? null : readDirectory(layout, at);
    pages.push({ isIncomplete: directory === null || isPageIncomplete(layout, directory.fields) });
    if (directory === null || at === null) break;
    visitedOffsets.add(at);
    at = directory.next;
  }
  return pages;
}

/** Null behind the end of the file. */
function readNumber({ bytes, isLittleEndian }: Layout, at: number, length: number): number | null {
  const value = at < bytes.size ? bytes.read(at, length) : Buffer.alloc(0);
  return value.length < length ? null : decodeNumber(value, length, isLittleEndian);
}

function decodeNumber(value: Buffer, length: number, isLittleEndian: boolean): number {
  if (length === 8) return Number(isLittleEndian ? value.readBigUInt64LE() : value.readBigUInt64BE());
  return isLittleEndian ? value.readUIntLE(0, length) : value.readUIntBE(0, length);
}

type Directory = { fields: ReadonlyMap<number, TiffField>; next: number | null };

/** Null when the directory is not completely in the file. */
function readDirectory(layout: Layout, at: number): Directory | null {
  const { bytes, isLittleEndian, offsetBytes } = layout;
  const countBytes = offsetBytes === 8 ? 8 : 2;
  const count = readNumber(layout, at, countBytes);
  if (count === null || count > MAX_FIELDS) return null;
  const fieldBytes = 4 + 2 * offsetBytes;
  const start = at + countBytes;
  const rows = bytes.read(start, count * fieldBytes);
  if (rows.length < count * fieldBytes) return null;
  const fields = Array.from({ length: count }, (_, index): [number, TiffField] => {
    const row = rows.subarray(index * fieldBytes);
    const number = (from: number, length: number) => decodeNumber(row.subarray(from), length, isLittleEndian);
    const value = row.subarray(4 + offsetBytes, fieldBytes);
    return [number(0, 2), { type: number(2, 2), count: number(4, offsetBytes), value }];
  });
  return { fields: new Map(fields), next: readNumber(layout, start + count * fieldBytes, offsetBytes) };
}

/** Empty for a missing field; null when its values are not in the file. */
function readValues(layout: Layout, field: TiffField | undefined): number[] | null {
  const length = bytesOfType[field?.type ?? 0];
  if (!field || length === undefined) return [];
  const { isLittleEndian, offsetBytes, bytes } = layout;
  const size = field.count * length;
  if (field.count > MAX_PARTS) return null;
  const values =
    size <= offsetBytes ? field.value : bytes.read(decodeNumber(field.value, offsetBytes, isLittleEndian), size);
  if (values.length < size) return null;
  return Array.from({ length: field.count }, (_, index) =>
    decodeNumber(values.subarray(index * length), length, isLittleEndian),
  );
}

/** Whether a strip or tile of the page has no bytes, or begins behind the end of the file. */
function isPageIncomplete(layout: Layout, fields: Directory['fields']): boolean {
  const first = (tag: number, fallback: number) => readValues(layout, fields.get(tag))?.[0] ?? fallback;
  const height = first(TAGS.height, 0);
  const hasTiles = fields.has(TILES.offsets);
  const { offsets: offsetTag, lengths: lengthTag } = hasTiles ? TILES : STRIPS;
  const [offsets, lengths] = [readValues(layout, fields.get(offsetTag)), readValues(layout, fields.get(lengthTag))];
  if (!offsets || !lengths) return true;
  const rows = Math.ceil(height / Math.max(1, first(hasTiles ? TAGS.tileHeight : TAGS.rowsPerStrip, height)));
  const columns = hasTiles ? Math.ceil(first(TAGS.width, 0) / Math.max(1, first(TAGS.tileWidth, 1))) : 1;
  const planes = first(TAGS.planes, 1) === SEPARATE_PLANES ? first(TAGS.samples, 1) : 1;
  return (
    offsets.length < rows * columns * planes ||
    offsets.some((at) => at === 0 || at >= layout.bytes.size) ||
    lengths.some((length) => length === 0)
  );
}
