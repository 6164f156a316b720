import { createHash, randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SizeAndHashStream } from './size-and-hash-stream.ts';
import { StorageNotFound, StorageRangeInvalid } from './storage-errors.ts';
import type { ByteRange, Storage, StoredObject } from './storage-interface.ts';
import { assertDeletablePrefix, assertValidKey, assertValidPrefix } from './storage-key.ts';
import { syncFolder } from './sync-folder.ts';

const DEFAULT_CONTENT_TYPE = 'application/octet-stream';
const MAX_UPLOAD_MS = 86_400_000;

/**
 * Stores files in a folder: `objects/` contains the bytes, `types/` the content types, `incoming/` unfinished files. A
 * file is moved to its key only when it is complete and on disk.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export function localFileStorage(root: string): Storage {
  const objectFile = (key: string) => path.join(root, 'objects', key);
  const typeFile = (key: string) => path.join(root, 'types', key);

  /** Writes to a temporary file; `moveToKey` runs when the file is complete. */
  async function receive(body: Readable | Buffer, moveToKey: (unfinishedFile: string) => Promise<void>) {
    const incomingFolder = path.join(root, 'incoming');
    await mkdir(incomingFolder, { recursive: true, mode: 0o700 });
    const unfinishedFile = path.join(incomingFolder, randomUUID());
    try {
      const handle = await open(unfinishedFile, 'wx', 0o600);
      const sizeAndHash = Buffer.isBuffer(body) ? await writeBuffer(handle, body) : await writeStream(handle, body);
      await moveToKey(unfinishedFile);
      return sizeAndHash;
    } catch (error) {
      await rm(unfinishedFile, { force: true });
      throw error;
    }
  }

  async function putType(key: string, contentType: string | undefined) {
    if (contentType === undefined) return remove('types', key);
    await receive(Buffer.from(contentType), (file) => moveFileAndSync(file, typeFile(key)));
  }

  async function remove(tree: 'objects' | 'types', key: string) {
    const top = path.join(root, tree);
    await nullIfMissing(unlink(path.join(top, key)));
    // Also removes empty parent folders. `moveFileAndSync` creates a folder again if a concurrent write needs it.
    for (let folder = path.dirname(path.join(top, key)); folder !== top; ) {
      if (!(await removeIfEmpty(folder))) break;
      folder = path.dirname(folder);
    }
  }

  async function* walk(folder: string, prefix: string): AsyncGenerator<string> {
    const isFolder = (entry: Dirent) => entry.isDirectory();
    const names = (await entriesOf(path.join(root, 'objects', folder)))
      .map((entry) => `${folder}${entry.name}${isFolder(entry) ? '/' : ''}`)
      .filter((name) => name.startsWith(prefix) || prefix.startsWith(name))
      .sort();
    for (const name of names) {
      if (name.endsWith('/')) yield* walk(name, prefix);
      else if (name.startsWith(prefix)) yield name;
    }
  }

  async function statOf(key: string) {
    assertValidKey(key);
    const stats = await nullIfMissing(stat(objectFile(key)));
    return stats?.isFile() ? { size: stats.size } : null;
  }

  async function* list(prefix: string) {
    assertValidPrefix(prefix);
    for await (const key of walk('', prefix)) {
      const stats = await statOf(key);
      if (stats) yield { key, size: stats.size };
    }
  }

  async function deleteKey(key: string) {
    assertValidKey(key);
    await remove('objects', key);
    await remove('types', key);
  }

  return {
    async put(key, body, options) {
      assertValidKey(key);
      return receive(body, async (unfinishedFile) => {
        await putType(key, options?.contentType);
        await moveFileAndSync(unfinishedFile, objectFile(key));
      });
    },
    async get(key, range) {
      assertValidKey(key);
      const [object, type] = await Promise.allSettled([
        openObject(objectFile(key), key, range),
        nullIfMissing(readFile(typeFile(key), 'utf8')),
      ]);
      if (object.status === 'rejected') throw object.reason;
      if (type.status === 'fulfilled') return { ...object.value, contentType: type.value ?? DEFAULT_CONTENT_TYPE };
      object.value.stream.destroy();
      throw type.reason;
    },
    // Cheaper than a stream: a search reads many texts.
    async read(key, maxBytes) {
      assertValidKey(key);
      const handle = await nullIfMissing(open(objectFile(key), 'r'));
      if (handle === null) throw new StorageNotFound(key);
      try {
        const stats = await handle.stat();
        if (!stats.isFile()) throw new StorageNotFound(key);
        const bytes = Buffer.allocUnsafe(Math.min(stats.size, maxBytes ?? stats.size));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
        return bytes.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
    stat: statOf,
    delete: deleteKey,
    async deletePrefix(prefix) {
      assertDeletablePrefix(prefix);
      for await (const { key } of list(prefix)) await deleteKey(key);
    },
    list,
    async check() {
      await receive(Buffer.from('ok'), (file) => rm(file));
    },
  };
}

async function writeBuffer(handle: FileHandle, body: Buffer) {
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size: body.length, sha256: createHash('sha256').update(body).digest('hex') };
}

async function writeStream(handle: FileHandle, body: Readable) {
  const meter = new SizeAndHashStream();
  // flush: fsync before the file is closed.
  await pipeline(body, meter, handle.createWriteStream({ flush: true }));
  return meter.result();
}

/** Removes unfinished files of killed writers: those older than a day, because no upload takes that long. */
export async function removeAbandonedWrites(root: string) {
  const incomingFolder = path.join(root, 'incoming');
  for (const { name } of await entriesOf(incomingFolder)) {
    const stats = await nullIfMissing(stat(path.join(incomingFolder, name)));
    if (stats && Date.now() - stats.mtimeMs > MAX_UPLOAD_MS) await rm(path.join(incomingFolder, name), { force: true });
  }
}

async function openObject(
  file: string,
  key: string,
  range: ByteRange = {},
): Promise<Pick<StoredObject, 'stream' | 'size'>> {
  const handle = await nullIfMissing(open(file, 'r'));
  if (handle === null) throw new StorageNotFound(key);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new StorageNotFound(key);
    const start = range.start ?? 0;
    const end = Math.min(range.end ?? Number.POSITIVE_INFINITY, stats.size - 1);
    const isWhole = range.start === undefined && range.end === undefined;
    if (!isWhole && (start < 0 || start > end)) throw new StorageRangeInvalid(key);
    if (stats.size === 0) {
      await handle.close();
      return { stream: Readable.from([]), size: 0 };
    }
    return { stream: handle.createReadStream({ start, end }), size: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Moves a complete file to its name and syncs the name and new folders to disk. */
async function moveFileAndSync(unfinishedFile: string, file: string) {
  const folder = path.dirname(file);
  for (let attempts = 1; ; attempts += 1) {
    const topNewFolder = await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await rename(unfinishedFile, file);
      const top = topNewFolder ? path.dirname(topNewFolder) : folder;
      for (let folderToSync = folder; ; folderToSync = path.dirname(folderToSync)) {
        await syncFolder(folderToSync);
        if (folderToSync === top) return;
      }
    } catch (error) {
      // A concurrent deletion removed the empty folder.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 10) throw error;
    }
  }
}

/** ENOTDIR and EISDIR: a part of the key is a file, or the key is a folder, so the file does not exist. */
const MISSING_CODES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

async function nullIfMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (MISSING_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const entriesOf = async (folder: string) => (await nullIfMissing(readdir(folder, { withFileTypes: true }))) ?? [];

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || MISSING_CODES.has(code ?? '')) return false;
    throw error;
  }
}
