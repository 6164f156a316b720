import { Buffer } from 'node:buffer';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { RejectedFileError } from '../rejection-reasons.ts';

const MAX_ENTRIES = 10_000;
const ENCRYPTED_FLAG = 1;

export type Zip = {
  names: string[];
  /** Reads a whole member up to a limit; null when there is no member with this name. */
  read(name: string, maxBytes?: number): Promise<Buffer | null>;
  /** Chunks of a member; ends with an error beyond a limit. Null when there is no member with this name. */
  stream(name: string, maxBytes: number): AsyncIterable<Buffer> | null;
  /** Declared size of a member after unpacking, 0 for a missing one. */
  sizeOf(name: string): number;
  close(): void;
};

const OPTIONS = { lazyEntries: true, autoClose: false, strictFileNames: false } as const;

export const openZip = (file: string): Promise<Zip> => readZip(openPromise(file, OPTIONS));

/** Opens a ZIP that is part of another file. */
export const openZipBytes = (bytes: Buffer): Promise<Zip> => readZip(fromBufferPromise(bytes, OPTIONS));

async function readZip(zipFilePromise: Promise<ZipFile>): Promise<Zip> {
  const zip = await zipFilePromise.catch((error: Error) => {
    throw new RejectedFileError('damaged', error.message);
  });
  const entries = await listEntries(zip).catch((error: unknown) => {
    zip.close();
    throw error;
  });
  return {
    names: [...entries.keys()],
    async read(name, maxBytes = 16 * 1024 * 1024) {
      const entry = entries.get(name);
      return entry ? readEntry(zip, entry, maxBytes) : null;
    },
    stream(name, maxBytes) {
      const entry = entries.get(name);
      return entry ? streamEntry(zip, entry, maxBytes) : null;
    },
    sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    close: () => zip.close(),
  };
}

function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (entries.size >= MAX_ENTRIES) return reject(new RejectedFileError('bomb', 'too many members'));
      if (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) return reject(new RejectedFileError('encrypted'));
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', (error: Error) => reject(new RejectedFileError('damaged', error.message)));
    zip.readEntry();
  });
}

async function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamEntry(zip, entry, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* streamEntry(zip: ZipFile, entry: Entry, maxBytes: number): AsyncGenerator<Buffer> {
  if (entry.uncompressedSize > maxBytes) throw new RejectedFileError('bomb', entry.fileName);
  const stream = await zip.openReadStreamPromise(entry).catch((error: Error) => {
    throw new RejectedFileError('damaged', error.message);
  });
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > maxBytes) throw new RejectedFileError('bomb', entry.fileName);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof RejectedFileError ? error : new RejectedFileError('damaged', String(error));
  }
}
