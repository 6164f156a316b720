import type { Readable } from 'node:stream';

/** A file in an archive. Its name and its declared size may be false. */
export type ArchiveMember = {
  path: string;
  declaredSize: number;
  isEncrypted: boolean;
  /** The bytes; readable once, and only until the next member is requested. */
  read(): Promise<Readable | AsyncIterable<Buffer>>;
};
