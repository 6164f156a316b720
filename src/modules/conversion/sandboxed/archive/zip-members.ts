import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { RejectedFileError } from '../rejection-reasons.ts';
import type { ArchiveMember } from './archive-member.ts';
import { createNameDecoder, decodeUtf8 } from './member-path.ts';

const ENCRYPTED_FLAG = 1;
const UTF8_FLAG = 0x800;
const UNICODE_PATH_FIELD = 0x7075;
/** Version and checksum before the name. */
const UNICODE_PATH_HEAD_BYTES = 5;

/** Files of a ZIP in the order of its directory. */
export async function* listZipMembers(file: string, maxEntries: number): AsyncGenerator<ArchiveMember> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(() => {
    throw new RejectedFileError('archiveDamaged');
  });
  try {
    const entries = await readDirectory(zip, maxEntries);
    const decodeName = createNameDecoder(
      entries.filter((entry) => declaredName(entry) === null).map(({ fileNameRaw }) => fileNameRaw),
    );
    for (const entry of entries) {
      const path = declaredName(entry) ?? decodeName(entry.fileNameRaw);
      if (/[/\\]$/.test(path)) continue;
      yield {
        path,
        declaredSize: entry.uncompressedSize,
        isEncrypted: (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) !== 0,
        read: () => zip.openReadStreamPromise(entry),
      };
    }
  } finally {
    zip.close();
  }
}

function readDirectory(zip: ZipFile, maxEntries: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      if (entries.length > maxEntries) reject(new RejectedFileError('archiveEntries'));
      else zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', () => reject(new RejectedFileError('archiveDamaged')));
    zip.readEntry();
  });
}

/** Name in an encoding that the archive declares; null for the encoding of the system that wrote it. */
function declaredName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string | null {
  if (generalPurposeBitFlag & UTF8_FLAG) return decodeUtf8(fileNameRaw);
  const field = extraFields.find(({ id }) => id === UNICODE_PATH_FIELD);
  return field ? decodeUtf8(field.data.subarray(UNICODE_PATH_HEAD_BYTES)) : null;
}
