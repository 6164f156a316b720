import { closeSync, openSync, writeFileSync } from 'node:fs';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';

const END_RECORD_BYTES = 22;
/** Offsets of these numbers in the end record of an archive. */
const MEMBER_COUNT_OFFSETS = [8, 10];
const DIRECTORY_SIZE_OFFSET = 12;
const DIRECTORY_START_OFFSET = 16;
/** Offset of the member start in the directory record of a member. */
const MEMBER_START_OFFSET = 42;

/**
 * Writes a ZIP archive with one member in memory at a time: each member is packed as a separate archive, and the
 * archives are joined under one directory.
 */
export async function writeZipFile(file: string, members: AsyncIterable<ZipMember>): Promise<void> {
  const descriptor = openSync(file, 'w');
  try {
    const directory: Buffer[] = [];
    let offset = 0;
    for await (const member of members) {
      const archive = writeZip([member]);
      const endRecordOffset = archive.length - END_RECORD_BYTES;
      const memberBytes = archive.readUInt32LE(endRecordOffset + DIRECTORY_START_OFFSET);
      const directoryRecord = Buffer.from(archive.subarray(memberBytes, endRecordOffset));
      directoryRecord.writeUInt32LE(offset, MEMBER_START_OFFSET);
      directory.push(directoryRecord);
      writeFileSync(descriptor, archive.subarray(0, memberBytes));
      offset += memberBytes;
    }
    const endRecord = writeZip([]);
    for (const position of MEMBER_COUNT_OFFSETS) endRecord.writeUInt16LE(directory.length, position);
    const directoryBytes = Buffer.concat(directory);
    endRecord.writeUInt32LE(directoryBytes.length, DIRECTORY_SIZE_OFFSET);
    endRecord.writeUInt32LE(offset, DIRECTORY_START_OFFSET);
    writeFileSync(descriptor, Buffer.concat([directoryBytes, endRecord]));
  } finally {
    closeSync(descriptor);
  }
}
