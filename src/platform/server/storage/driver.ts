import type { Readable } from 'node:stream';

/** Where files live. Both implementations pass storage.suite.ts. */
export type Storage = {
  /** Stores the whole body or nothing: a failing stream leaves what was there before. */
  put(
    key: string,
    body: Readable | Buffer,
    options?: { contentType?: string },
  ): Promise<{ size: number; sha256: string }>;
  /** `size` is that of the whole object. */
  get(key: string, range?: Range): Promise<StoredObject>;
  /** The bytes of something small, or no more of them than `most` from its beginning. */
  read(key: string, most?: number): Promise<Buffer>;
  stat(key: string): Promise<{ size: number } | null>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /** Every key that begins with `prefix`, in the order of the keys. */
  list(prefix: string): AsyncIterable<{ key: string; size: number }>;
  /** Rejects when the storage cannot be reached or written. */
  check(): Promise<void>;
};

/** Byte positions, both included. */
export type Range = { start?: number; end?: number };

export type StoredObject = { stream: Readable; size: number; contentType: string };
