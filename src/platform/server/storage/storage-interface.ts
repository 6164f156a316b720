import type { Readable } from 'node:stream';

/** Stores files by key. Both implementations pass storage.suite.ts. */
export type Storage = {
  /** Stores the whole body or nothing: if the stream fails, the old object stays. */
  put(key: string, body: Readable | Buffer, options?: PutOptions): Promise<{ size: number; sha256: string }>;
  /** The returned `size` is the size of the whole object, also for a range. */
  get(key: string, range?: ByteRange): Promise<StoredObject>;
  /** Reads a small object, or its first `maxBytes` bytes. */
  read(key: string, maxBytes?: number): Promise<Buffer>;
  stat(key: string): Promise<{ size: number } | null>;
  /** Deleting a missing object is not an error. */
  delete(key: string): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /** All keys that begin with `prefix`, sorted. */
  list(prefix: string): AsyncIterable<{ key: string; size: number }>;
  /** Rejects when the storage cannot be reached or written. */
  check(): Promise<void>;
};

type PutOptions = {
  contentType?: string;
  /** Fails within 5 s when a server stops accepting bytes, also if it answers other calls. */
  failsOnStall?: boolean;
};

/** Byte positions, both inclusive. */
export type ByteRange = { start?: number; end?: number };

export type StoredObject = { stream: Readable; size: number; contentType: string };
