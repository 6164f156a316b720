import { closeSync, openSync, writeFileSync } from 'node:fs';
import { createZipPacker, type ZipMember } from '#platform/server/storage/zip-writer.ts';

/** Writes a ZIP archive with one member in memory at a time. */
export async function writeZipFile(file: string, members: AsyncIterable<ZipMember>): Promise<void> {
  const descriptor = openSync(file, 'w');
  try {
    const packer = createZipPacker();
    for await (const member of members) writeFileSync(descriptor, packer.add(member));
    writeFileSync(descriptor, packer.end());
  } finally {
    closeSync(descriptor);
  }
}
