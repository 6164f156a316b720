import { open } from 'node:fs/promises';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import type { FileFormat } from '../conversion.contract.ts';
import {
  type ByteSource,
  type CompoundEntry,
  isCompoundFile,
  readCompoundEntries,
  readStreamStart,
} from '../detect/compound-file.ts';
import { fileByteSource } from '../file-byte-source.ts';
import { PermanentConversionError, rejectionError } from './conversion-errors.ts';

const MB = 1024 * 1024;
const MAX_ENTRIES = 10_000;
const MAX_TOTAL_BYTES = 1024 * MB;
/** Small files may compress well; above this size a ratio over `MAX_RATIO` indicates a ZIP bomb. */
const RATIO_CHECK_MIN_BYTES = 10 * MB;
const MAX_RATIO = 100;
/** A larger part cannot be parsed in bounded memory. */
const MAX_PART_BYTES = 200 * MB;
const ENCRYPTED_FLAG = 1;

const zipFormats: readonly FileFormat[] = [
  'docx',
  'pptx',
  'xlsx',
  'xlsb',
  'odt',
  'odp',
  'ods',
  'epub',
  'cbz',
  'ofd',
  'xps',
];

/**
 * Rejects encrypted files and ZIP bombs before any program opens them. Sizes are counted while unpacking, because the
 * sizes that a file declares may be false.
 */
export async function rejectEncryptedFileOrZipBomb(file: string, format: FileFormat): Promise<void> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const source = fileByteSource(handle, size);
    const head = await source.read(0, 512);
    if (isCompoundFile(head)) await rejectEncryptedCompoundFile(source);
    else if (format === 'mobi') await rejectIncompleteOrProtectedMobi(source);
    else if (zipFormats.includes(format)) await rejectEncryptedZipOrBomb(handle.fd, size);
  } finally {
    await handle.close();
  }
}

async function rejectEncryptedCompoundFile(source: ByteSource): Promise<void> {
  const entries = await readCompoundEntries(source);
  if (await isEncryptedCompound(source, entries)) throw rejectionError('encrypted');
}

/** The encryption flags of an office stream lie within its first bytes. */
const HEAD_BYTES = 512;

async function isEncryptedCompound(source: ByteSource, entries: CompoundEntry[]): Promise<boolean> {
  const hasEntry = (entryName: string) => entries.some(({ name }) => name === entryName);
  if (hasEntry('EncryptedPackage')) return true;
  const readHead = async (...names: string[]) => {
    const entry = entries.find(({ name, isStream }) => isStream && names.includes(name));
    return entry ? readStreamStart(source, entries, entry, HEAD_BYTES) : Buffer.alloc(0);
  };
  return (
    isEncryptedWord(await readHead('WordDocument')) ||
    isEncryptedWorkbook(await readHead('Workbook', 'Book')) ||
    isEncryptedSlides(await readHead('Current User')) ||
    (hasEntry('EncryptedSummary') && !hasEntry('Current User'))
  );
}

/** Flag fEncrypted of the file information block. */
const isEncryptedWord = (head: Buffer) => head.length >= 12 && (head.readUInt16LE(10) & 0x0100) !== 0;

/** Record 0x2f is FILEPASS. */
function isEncryptedWorkbook(head: Buffer): boolean {
  for (let offset = 0; offset + 4 <= head.length; offset += 4 + head.readUInt16LE(offset + 2))
    if (head.readUInt16LE(offset) === 0x2f) return true;
  return false;
}

/** Encrypted slides have another header token in the stream "Current User". */
const isEncryptedSlides = (head: Buffer) => head.length >= 16 && head.readUInt32LE(12) === 0xf3d1c4df;

const MOBI_RECORD_COUNT_OFFSET = 76;
const MOBI_RECORDS_OFFSET = 78;
const MOBI_RECORD_BYTES = 8;

/** The record list shows a truncated file, the first record its encryption. */
async function rejectIncompleteOrProtectedMobi(source: ByteSource): Promise<void> {
  const head = await source.read(0, MOBI_RECORDS_OFFSET);
  if (head.length < MOBI_RECORDS_OFFSET) throw rejectionError('incomplete');
  const count = head.readUInt16BE(MOBI_RECORD_COUNT_OFFSET);
  if (count === 0) throw rejectionError('damaged');
  const list = await source.read(MOBI_RECORDS_OFFSET, count * MOBI_RECORD_BYTES);
  const lastOffset = (count - 1) * MOBI_RECORD_BYTES;
  if (list.length < count * MOBI_RECORD_BYTES || list.readUInt32BE(lastOffset) >= source.size)
    throw rejectionError('incomplete');
  const record = await source.read(list.readUInt32BE(0), 16);
  if (record.length >= 14 && record.readUInt16BE(12) !== 0) throw rejectionError('drm');
}

async function rejectEncryptedZipOrBomb(fd: number, size: number): Promise<void> {
  // The caller closes the descriptor with its handle.
  const zip = await fromFdPromise(fd, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: false,
  }).catch(() => {
    throw rejectionError('damaged');
  });
  const entries = await listEntries(zip);
  let total = 0;
  for (const entry of entries) {
    if (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) throw rejectionError('encrypted');
    if (entry.fileName.endsWith('/')) continue;
    total += await countUnpackedBytes(zip, entry, MAX_TOTAL_BYTES - total);
    if (total > RATIO_CHECK_MIN_BYTES && total > size * MAX_RATIO) throw rejectionError('bomb');
  }
}

function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) reject(rejectionError('bomb'));
      else zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', () => reject(rejectionError('damaged')));
    zip.readEntry();
  });
}

/** ODF declares encrypted parts in its manifest, not by the flag of the ZIP entry. */
const isManifest = ({ fileName }: Entry) => fileName === 'META-INF/manifest.xml';

async function countUnpackedBytes(zip: ZipFile, entry: Entry, maxBytes: number): Promise<number> {
  if (entry.uncompressedSize > Math.min(maxBytes, MAX_PART_BYTES)) throw rejectionError('bomb');
  let bytes = 0;
  let manifest = '';
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      bytes += chunk.length;
      if (bytes > Math.min(maxBytes, MAX_PART_BYTES)) throw rejectionError('bomb');
      if (isManifest(entry) && manifest.length < MB) manifest += chunk.toString('latin1');
    }
  } catch (error) {
    throw error instanceof PermanentConversionError ? error : rejectionError('damaged');
  }
  if (manifest.includes('encryption-data')) throw rejectionError('encrypted');
  return bytes;
}
