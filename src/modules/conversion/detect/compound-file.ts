/** Random access to the bytes of a file, independent of where it is stored. */
export type ByteSource = {
  size: number;
  read(start: number, length: number): Promise<Buffer>;
};

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const END_OF_CHAIN = 0xfffffffa;
const ENTRY_BYTES = 128;
const MAX_DIRECTORY_SECTORS = 512;
const HEADER_FAT_ENTRIES = 109;

export const isCompoundFile = (head: Buffer) => head.subarray(0, 8).equals(SIGNATURE);

type Layout = { sectorBytes: number; fatSectors: number[] };
export type CompoundEntry = { name: string; isStream: boolean; start: number; size: number };

/**
 * Lists the entries of a compound file (Office 97 and related formats). Reads only header, FAT and directory; a damaged
 * file yields the entries that could be read.
 */
export async function readCompoundEntries(source: ByteSource): Promise<CompoundEntry[]> {
  const header = await source.read(0, 512);
  if (header.length < 512 || !isCompoundFile(header)) return [];
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return [];
  const layout = readSectorLayout(header);
  const entries: CompoundEntry[] = [];
  const visitedSectors = new Set<number>();
  let sector = header.readUInt32LE(48);
  while (sector < END_OF_CHAIN && !visitedSectors.has(sector) && visitedSectors.size < MAX_DIRECTORY_SECTORS) {
    visitedSectors.add(sector);
    const block = await readSector(source, layout, sector);
    entries.push(...parseEntries(block));
    if (block.length < layout.sectorBytes) break;
    sector = await nextSector(source, layout, sector);
  }
  return entries;
}

function readSectorLayout(header: Buffer): Layout {
  const layout: Layout = { sectorBytes: 2 ** header.readUInt16LE(30), fatSectors: [] };
  for (let index = 0; index < HEADER_FAT_ENTRIES; index++) {
    const sector = header.readUInt32LE(76 + index * 4);
    if (sector < END_OF_CHAIN) layout.fatSectors.push(sector);
  }
  return layout;
}

const readSector = (source: ByteSource, { sectorBytes }: Layout, sector: number) =>
  source.read((sector + 1) * sectorBytes, sectorBytes);

async function nextSector(source: ByteSource, layout: Layout, sector: number): Promise<number> {
  const perSector = layout.sectorBytes / 4;
  const table = layout.fatSectors[Math.floor(sector / perSector)];
  if (table === undefined) return END_OF_CHAIN;
  const block = await readSector(source, layout, table);
  const at = (sector % perSector) * 4;
  return at + 4 <= block.length ? block.readUInt32LE(at) : END_OF_CHAIN;
}

function parseEntries(block: Buffer): CompoundEntry[] {
  const entries: CompoundEntry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= block.length; at += ENTRY_BYTES) {
    const nameBytes = block.readUInt16LE(at + 64);
    if (nameBytes < 2 || nameBytes > 64) continue;
    entries.push({
      name: block.toString('utf16le', at, at + nameBytes - 2),
      isStream: block[at + 66] === 2,
      start: block.readUInt32LE(at + 116),
      size: block.readUInt32LE(at + 120),
    });
  }
  return entries;
}

const MINI_SECTOR_BYTES = 64;

/** Returns fewer bytes when the stream is shorter or its sectors are damaged. */
export async function readStreamStart(
  source: ByteSource,
  entries: CompoundEntry[],
  { start, size }: CompoundEntry,
  length: number,
): Promise<Buffer> {
  const header = await source.read(0, 512);
  const layout = readSectorLayout(header);
  const bytesToRead = Math.min(size, length);
  if (size >= header.readUInt32LE(56)) return readSectorChain(source, layout, start, 0, bytesToRead);
  // Small streams are stored in the stream of the root entry, which is the first entry.
  const root = entries[0]?.start ?? END_OF_CHAIN;
  const parts: Buffer[] = [];
  for (let sector = start, read = 0; sector < END_OF_CHAIN && read < bytesToRead; ) {
    parts.push(await readSectorChain(source, layout, root, sector * MINI_SECTOR_BYTES, MINI_SECTOR_BYTES));
    read += MINI_SECTOR_BYTES;
    const next = await readSectorChain(source, layout, header.readUInt32LE(60), sector * 4, 4);
    sector = next.length === 4 ? next.readUInt32LE(0) : END_OF_CHAIN;
  }
  return Buffer.concat(parts).subarray(0, bytesToRead);
}

async function readSectorChain(
  source: ByteSource,
  layout: Layout,
  start: number,
  offset: number,
  length: number,
): Promise<Buffer> {
  const { sectorBytes } = layout;
  const parts: Buffer[] = [];
  let sector = start;
  const last = Math.ceil((offset + length) / sectorBytes);
  for (let index = 0; index < last && sector < END_OF_CHAIN; index++) {
    if ((index + 1) * sectorBytes > offset) parts.push(await readSector(source, layout, sector));
    sector = await nextSector(source, layout, sector);
  }
  const from = offset % sectorBytes;
  return Buffer.concat(parts).subarray(from, from + length);
}
