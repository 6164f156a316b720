import { closeSync, openSync, writeFileSync } from 'node:fs';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';

const END_RECORD_BYTES = 22;
/** Where the end record of an archive holds these numbers. */
const MEMBER_COUNTS_AT = [8, 10];
const DIRECTORY_BYTES_AT = 12;
const DIRECTORY_OFFSET_AT = 16;
/** Where the directory record of a member says at which offset the member begins. */
const MEMBER_OFFSET_AT = 42;

/**
 * Writes a ZIP archive with one member in memory at a time: each is packed as an archive of its own,
 * and the archives are joined under one directory.
 */
export async function writeZipFile(file: string, members: AsyncIterable<ZipMember>): Promise<void> {
  const descriptor = openSync(file, 'w');
  try {
    const directory: Buffer[] = [];
    let offset = 0;
    for await (const member of members) {
      const archive = writeZip([member]);
      const endRecordAt = archive.length - END_RECORD_BYTES;
      const memberBytes = archive.readUInt32LE(endRecordAt + DIRECTORY_OFFSET_AT);
      const directoryRecord = Buffer.from(archive.subarray(memberBytes, endRecordAt));
      directoryRecord.writeUInt32LE(offset, MEMBER_OFFSET_AT);
      directory.push(directoryRecord);
      writeFileSync(descriptor, archive.subarray(0, memberBytes));
      offset += memberBytes;
    }
    const endRecord = writeZip([]);
    for (const position of MEMBER_COUNTS_AT) endRecord.writeUInt16LE(directory.length, position);
    const directoryBytes = Buffer.concat(directory);
    endRecord.writeUInt32LE(directoryBytes.length, DIRECTORY_BYTES_AT);
    endRecord.writeUInt32LE(offset, DIRECTORY_OFFSET_AT);
    writeFileSync(descriptor, Buffer.concat([directoryBytes, endRecord]));
  } finally {
    closeSync(descriptor);
  }
}
