const SLICE_BYTES = 1024 * 1024;
const UTF8_NAMES = 0x0800;
/** 1 January 1980: equal images give equal files. */
const DATE = 0x21;
const [LOCAL_SIGNATURE, CENTRAL_SIGNATURE, END_SIGNATURE] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22];
const NAME_DIGITS = 5;

/** Packs images without compression into a CBZ file whose pages have this order. The images are not copied in memory. */
export async function packImages(images: readonly File[], name: string): Promise<File> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  for (const [index, image] of images.entries()) {
    const extension = /\.[a-z0-9]+$/i.exec(image.name)?.[0] ?? '';
    const path = new TextEncoder().encode(`${String(index + 1).padStart(NAME_DIGITS, '0')}${extension.toLowerCase()}`);
    const entry = { path, checksum: await computeCrc32(image), bytes: image.size, offset };
    const head = localHeader(entry);
    parts.push(head, path, image);
    directory.push(centralHeader(entry), path);
    offset += head.byteLength + path.length + image.size;
  }
  const directoryBytes = directory.reduce((sum, part) => sum + (part as ArrayBuffer).byteLength, 0);
  return new File([...parts, ...directory, endRecord(images.length, directoryBytes, offset)], name);
}

type Entry = { path: Uint8Array; checksum: number; bytes: number; offset: number };

function localHeader({ path, checksum, bytes }: Entry): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(LOCAL_BYTES));
  view.setUint32(0, LOCAL_SIGNATURE, true);
  writeCommonFields(view, 4, { path, checksum, bytes });
  return view.buffer;
}

function centralHeader({ path, checksum, bytes, offset }: Entry): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(CENTRAL_BYTES));
  view.setUint32(0, CENTRAL_SIGNATURE, true);
  view.setUint16(4, 20, true);
  writeCommonFields(view, 6, { path, checksum, bytes });
  view.setUint32(42, offset, true);
  return view.buffer;
}

function writeCommonFields(view: DataView, at: number, { path, checksum, bytes }: Omit<Entry, 'offset'>): void {
  view.setUint16(at, 20, true);
  view.setUint16(at + 2, UTF8_NAMES, true);
  view.setUint16(at + 8, DATE, true);
  view.setUint32(at + 10, checksum, true);
  view.setUint32(at + 14, bytes, true);
  view.setUint32(at + 18, bytes, true);
  view.setUint16(at + 22, path.length, true);
}

function endRecord(count: number, directoryBytes: number, offset: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(END_BYTES));
  view.setUint32(0, END_SIGNATURE, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, directoryBytes, true);
  view.setUint32(16, offset, true);
  return view.buffer;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

async function computeCrc32(file: Blob): Promise<number> {
  let checksum = 0xffffffff;
  for (let at = 0; at < file.size; at += SLICE_BYTES)
    for (const byte of new Uint8Array(await file.slice(at, at + SLICE_BYTES).arrayBuffer()))
      checksum = (CRC_TABLE[(checksum ^ byte) & 0xff] ?? 0) ^ (checksum >>> 8);
  return (checksum ^ 0xffffffff) >>> 0;
}
