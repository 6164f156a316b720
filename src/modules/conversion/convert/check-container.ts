import { open } from 'node:fs/promises';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import type { FileFormat } from '../conversion.contract.ts';
import {
  type CompoundEntry,
  isCompoundFile,
  readCompoundEntries,
  readStreamStart,
  type Source,
} from '../detect/cfb.ts';
import { fileSource } from '../file-source.ts';
import { toConversionError } from './conversion-errors.ts';

const MB = 1024 * 1024;
const MAX_ENTRIES = 10_000;
const MAX_TOTAL_BYTES = 1024 * MB;
/** Small files may be packed tightly; beyond this size more than `MAX_RATIO` is no honest document. */
const RATIO_FROM_BYTES = 10 * MB;
const MAX_RATIO = 100;
/** One part that large is more than a program can open in bounded memory. */
const MAX_PART_BYTES = 200 * MB;
const ENCRYPTED_FLAG = 1;

const zipped: readonly FileFormat[] = ['docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'epub'];

/**
 * Looks into a container before any program opens it: what is encrypted or unpacks to more than is
 * honest goes no further. Sizes are counted while unpacking, for what a file declares may be a lie.
 */
export async function checkContainer(file: string, format: FileFormat): Promise<void> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const source = fileSource(handle, size);
    const head = await source.read(0, 512);
    if (isCompoundFile(head)) await checkCompound(source);
    else if (format === 'mobi') await checkMobi(source);
    else if (zipped.includes(format)) await checkZip(handle.fd, size);
  } finally {
    await handle.close();
  }
}

async function checkCompound(source: Source): Promise<void> {
  const entries = await readCompoundEntries(source);
  if (await isEncryptedCompound(source, entries)) throw toConversionError('encrypted');
}

/** Bytes that show how a stream of an office file is encrypted. */
const HEAD_BYTES = 512;

async function isEncryptedCompound(source: Source, entries: CompoundEntry[]): Promise<boolean> {
  const has = (wanted: string) => entries.some(({ name }) => name === wanted);
  if (has('EncryptedPackage')) return true;
  const headOf = async (...names: string[]) => {
    const entry = entries.find(({ name, isStream }) => isStream && names.includes(name));
    return entry ? readStreamStart(source, entries, entry, HEAD_BYTES) : Buffer.alloc(0);
  };
  return (
    isEncryptedWord(await headOf('WordDocument')) ||
    isEncryptedWorkbook(await headOf('Workbook', 'Book')) ||
    isEncryptedSlides(await headOf('Current User')) ||
    (has('EncryptedSummary') && !has('Current User'))
  );
}

/** Bit 8 of the flags at the beginning of the document. */
const isEncryptedWord = (head: Buffer) => head.length >= 12 && (head.readUInt16LE(10) & 0x0100) !== 0;

/** A FILEPASS record among the first ones. */
function isEncryptedWorkbook(head: Buffer): boolean {
  for (let at = 0; at + 4 <= head.length; at += 4 + head.readUInt16LE(at + 2))
    if (head.readUInt16LE(at) === 0x2f) return true;
  return false;
}

/** Another token stands at the beginning of the stream "Current User" of encrypted slides. */
const isEncryptedSlides = (head: Buffer) => head.length >= 16 && head.readUInt32LE(12) === 0xf3d1c4df;

const MOBI_RECORD_COUNT_AT = 76;
const MOBI_RECORDS_AT = 78;
const MOBI_RECORD_BYTES = 8;

/** The list of records shows whether the file was cut off, the first record whether it is encrypted. */
async function checkMobi(source: Source): Promise<void> {
  const head = await source.read(0, MOBI_RECORDS_AT);
  if (head.length < MOBI_RECORDS_AT) throw toConversionError('incomplete');
  const count = head.readUInt16BE(MOBI_RECORD_COUNT_AT);
  if (count === 0) throw toConversionError('damaged');
  const list = await source.read(MOBI_RECORDS_AT, count * MOBI_RECORD_BYTES);
  const lastAt = (count - 1) * MOBI_RECORD_BYTES;
  if (list.length < count * MOBI_RECORD_BYTES || list.readUInt32BE(lastAt) >= source.size)
    throw toConversionError('incomplete');
  const record = await source.read(list.readUInt32BE(0), 16);
  if (record.length >= 14 && record.readUInt16BE(12) !== 0) throw toConversionError('drm');
}

async function checkZip(fd: number, size: number): Promise<void> {
  // The descriptor stays ours: it is closed with its handle.
  const zip = await fromFdPromise(fd, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: false,
  }).catch(() => {
    throw toConversionError('damaged');
  });
  const entries = await listEntries(zip);
  let total = 0;
  for (const entry of entries) {
    if (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) throw toConversionError('encrypted');
    if (entry.fileName.endsWith('/')) continue;
    total += await unpackedBytes(zip, entry, MAX_TOTAL_BYTES - total);
    if (total > RATIO_FROM_BYTES && total > size * MAX_RATIO) throw toConversionError('bomb');
  }
}

function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) reject(toConversionError('bomb'));
      else zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', () => reject(toConversionError('damaged')));
    zip.readEntry();
  });
}

/** ODF keeps encrypted parts as plain data and says so in its manifest. */
const isManifest = ({ fileName }: Entry) => fileName === 'META-INF/manifest.xml';

async function unpackedBytes(zip: ZipFile, entry: Entry, room: number): Promise<number> {
  if (entry.uncompressedSize > Math.min(room, MAX_PART_BYTES)) throw toConversionError('bomb');
  let bytes = 0;
  let manifest = '';
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      bytes += chunk.length;
      if (bytes > Math.min(room, MAX_PART_BYTES)) throw toConversionError('bomb');
      if (isManifest(entry) && manifest.length < MB) manifest += chunk.toString('latin1');
    }
  } catch (error) {
    throw error instanceof Error && error.name === 'Hopeless' ? error : toConversionError('damaged');
  }
  if (manifest.includes('encryption-data')) throw toConversionError('encrypted');
  return bytes;
}
