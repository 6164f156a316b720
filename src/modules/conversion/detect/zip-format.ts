import { constants, inflateRawSync } from 'node:zlib';
import type { FileFormat } from '../conversion.contract.ts';
import type { Source } from './cfb.ts';

const END_RECORD = 0x06054b50;
const CENTRAL_RECORD = 0x02014b50;
const LOCAL_RECORD = 0x04034b50;
const TAIL_BYTES = 66_000;
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

const byMimetype: [start: string, format: FileFormat][] = [
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/epub+zip', 'epub'],
];
const byFolder: [folder: string, format: FileFormat][] = [
  ['word/', 'docx'],
  ['ppt/', 'pptx'],
  ['xl/', 'xlsx'],
];

export const isZip = (head: Buffer) => head.length >= 4 && head.readUInt32LE(0) === LOCAL_RECORD;

type Member = { name: string; at: number };

/** Which kind of document a ZIP holds, by its declared type or its folders; null for a mere archive. */
export async function zipFormat(source: Source): Promise<FileFormat | null> {
  const head = await source.read(0, 4096);
  const early = declaredBy(memberText(head, 'mimetype'));
  if (early) return early;
  const members = await listMembers(source);
  const names = members.map(({ name }) => name);
  // Damaged at its end: the first members still tell.
  const found = names.length > 0 ? names : (head.toString('latin1').match(/(?:word|ppt|xl)\//g) ?? []);
  const byName = byFolder.find(([folder]) => found.some((name) => name.startsWith(folder)));
  if (byName) return byName[1];
  // Some programs pack anew in an order of their own.
  const late = members.find(({ name }) => name === 'mimetype');
  const declared = late && declaredBy(memberText(await source.read(late.at, 4096), 'mimetype'));
  if (declared) return declared;
  return found.includes('META-INF/container.xml') ? 'epub' : null;
}

const declaredBy = (type: string) => byMimetype.find(([start]) => type.startsWith(start))?.[1];

/** The beginning of a small member, if it is the one that begins here. */
function memberText(head: Buffer, name: string): string {
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
    return ''; // not what it says it is: it declares nothing
  }
}

async function listMembers(source: Source): Promise<Member[]> {
  const tailStart = Math.max(0, source.size - TAIL_BYTES);
  const tail = await source.read(tailStart, source.size - tailStart);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== END_RECORD) at--;
  if (at < 0) return [];
  const length = Math.min(tail.readUInt32LE(at + 12), MAX_DIRECTORY_BYTES);
  const directory = await source.read(tail.readUInt32LE(at + 16), length);
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
