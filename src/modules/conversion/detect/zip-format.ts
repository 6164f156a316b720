import { constants, inflateRawSync } from 'node:zlib';
import type { FileFormat } from '../conversion.contract.ts';
import type { ByteSource } from './compound-file.ts';

const END_RECORD = 0x06054b50;
const CENTRAL_RECORD = 0x02014b50;
const LOCAL_RECORD = 0x04034b50;
const [ZIP64_LOCATOR, ZIP64_LOCATOR_BYTES] = [0x07064b50, 20];
const [ZIP64_END_RECORD, ZIP64_END_BYTES] = [0x06064b50, 56];
const TAIL_BYTES = 66_000;
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

const formatsByMimetype: [start: string, format: FileFormat][] = [
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/epub+zip', 'epub'],
];
const formatsByFolder: [folder: string, format: FileFormat][] = [
  ['word/', 'docx'],
  ['ppt/', 'pptx'],
  ['xl/', 'xlsx'],
];
const BINARY_WORKBOOK_PART = 'xl/workbook.bin';

/** A page of an XPS document, or a piece of one. */
const XPS_PAGE = /\.fpage(?:\/\[\d+\](?:\.last)?\.piece)?$/i;

export const isZip = (head: Buffer) => head.length >= 4 && head.readUInt32LE(0) === LOCAL_RECORD;

type Member = { name: string; at: number };

/** Detects the document format of a ZIP by its declared type or its folders; null for an ordinary archive. */
export async function detectZipFormat(source: ByteSource): Promise<FileFormat | null> {
  const head = await source.read(0, 4096);
  const formatOfFirstMember = formatOfMimetype(readFirstMemberText(head, 'mimetype'));
  if (formatOfFirstMember) return formatOfFirstMember;
  const members = await listZipMembers(source);
  const names = members.map(({ name }) => name);
  // Without a readable directory, the first bytes may still name a folder.
  const memberNames = names.length > 0 ? names : (head.toString('latin1').match(/(?:word|ppt|xl)\//g) ?? []);
  if (memberNames.includes(BINARY_WORKBOOK_PART)) return 'xlsb';
  const byName = formatsByFolder.find(([folder]) => memberNames.some((name) => name.startsWith(folder)));
  if (byName) return byName[1];
  if (names.some((name) => XPS_PAGE.test(name))) return 'xps';
  // Some programs do not write the mimetype as the first member.
  const mimetypeMember = members.find(({ name }) => name === 'mimetype');
  const declaredFormat =
    mimetypeMember && formatOfMimetype(readFirstMemberText(await source.read(mimetypeMember.at, 4096), 'mimetype'));
  if (declaredFormat) return declaredFormat;
  if (memberNames.includes('META-INF/container.xml')) return 'epub';
  return memberNames.some((name) => name.toLowerCase() === 'ofd.xml') ? 'ofd' : null;
}

const formatOfMimetype = (type: string) => formatsByMimetype.find(([start]) => type.startsWith(start))?.[1];

/** The beginning of the member at the start of `head`, if it has this name. */
function readFirstMemberText(head: Buffer, name: string): string {
  if (head.length < 60 || head.readUInt32LE(0) !== LOCAL_RECORD) return '';
  const nameLength = head.readUInt16LE(26);
  if (head.toString('latin1', 30, 30 + nameLength) !== name) return '';
  const start = 30 + nameLength + head.readUInt16LE(28);
  const body = head.subarray(start, start + 200);
  if (head.readUInt16LE(8) === 0) return body.toString('latin1');
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64_000 };
    return inflateRawSync(body, options).toString('latin1', 0, 200);
  } catch {
    return '';
  }
}

async function listZipMembers(source: ByteSource): Promise<Member[]> {
  const tailStart = Math.max(0, source.size - TAIL_BYTES);
  const tail = await source.read(tailStart, source.size - tailStart);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== END_RECORD) at--;
  if (at < 0) return [];
  const { start, length } = readZip64Directory(tail, at, tailStart) ?? {
    start: tail.readUInt32LE(at + 16),
    length: tail.readUInt32LE(at + 12),
  };
  const directory = await source.read(start, Math.min(length, MAX_DIRECTORY_BYTES));
  const members: Member[] = [];
  for (let entry = 0; entry + 46 <= directory.length; ) {
    if (directory.readUInt32LE(entry) !== CENTRAL_RECORD) break;
    const nameLength = directory.readUInt16LE(entry + 28);
    const name = directory.toString('utf8', entry + 46, entry + 46 + nameLength);
    members.push({ name: name.replace(/\\/g, '/'), at: directory.readUInt32LE(entry + 42) });
    entry += 46 + nameLength + directory.readUInt16LE(entry + 30) + directory.readUInt16LE(entry + 32);
  }
  return members;
}

type DirectoryRange = { start: number; length: number };

/** Windows writes the end record of ZIP64 even in small files; it is before the ordinary one at `endRecord`. */
function readZip64Directory(tail: Buffer, endRecord: number, tailStart: number): DirectoryRange | null {
  const locator = endRecord - ZIP64_LOCATOR_BYTES;
  if (locator < 0 || tail.readUInt32LE(locator) !== ZIP64_LOCATOR) return null;
  const at = Number(tail.readBigUInt64LE(locator + 8)) - tailStart;
  if (at < 0 || at + ZIP64_END_BYTES > tail.length || tail.readUInt32LE(at) !== ZIP64_END_RECORD) return null;
  return { start: Number(tail.readBigUInt64LE(at + 48)), length: Number(tail.readBigUInt64LE(at + 40)) };
}
