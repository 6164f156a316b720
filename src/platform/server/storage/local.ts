import { createHash, randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Range, Storage, StoredObject } from './driver.ts';
import { Meter } from './meter.ts';
import { StorageNotFound, StorageRangeInvalid } from './storage-errors.ts';
import { checkDeletablePrefix, checkKey, checkPrefix } from './storage-key.ts';
import { syncFolder } from './sync-folder.ts';

const defaultType = 'application/octet-stream';

/**
 * Files in a folder: `objects/` holds the bytes, `types/` the content type of those that have one,
 * `incoming/` what is being written. A file gets its name only when it is complete and on disk.
 */
export function localStorage(root: string): Storage {
  const objectFile = (key: string) => path.join(root, 'objects', key);
  const typeFile = (key: string) => path.join(root, 'types', key);

  /** Writes to a nameless file; `place` runs when it is complete and gives it its name. */
  async function receive(body: Readable | Buffer, place: (unfinished: string) => Promise<void>) {
    const incoming = path.join(root, 'incoming');
    await mkdir(incoming, { recursive: true, mode: 0o700 });
    const unfinished = path.join(incoming, randomUUID());
    try {
      const handle = await open(unfinished, 'wx', 0o600);
      const written = Buffer.isBuffer(body) ? await writeBuffer(handle, body) : await writeStream(handle, body);
      await place(unfinished);
      return written;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async function putType(key: string, contentType: string | undefined) {
    if (contentType === undefined) return remove('types', key);
    await receive(Buffer.from(contentType), (file) => moveInto(file, typeFile(key)));
  }

  async function remove(tree: 'objects' | 'types', key: string) {
    const top = path.join(root, tree);
    await whenPresent(unlink(path.join(top, key)));
    // Folders that became empty go too; one that is being filled again is not empty or is remade.
    for (let folder = path.dirname(path.join(top, key)); folder !== top; ) {
      if (!(await removedEmpty(folder))) break;
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
    checkKey(key);
    const found = await whenPresent(stat(objectFile(key)));
    return found?.isFile() ? { size: found.size } : null;
  }

  async function* list(prefix: string) {
    checkPrefix(prefix);
    for await (const key of walk('', prefix)) {
      const found = await statOf(key);
      if (found) yield { key, size: found.size };
    }
  }

  async function deleteKey(key: string) {
    checkKey(key);
    await remove('objects', key);
    await remove('types', key);
  }

  return {
    async put(key, body, options) {
      checkKey(key);
      return receive(body, async (unfinished) => {
        await putType(key, options?.contentType);
        await moveInto(unfinished, objectFile(key));
      });
    },
    async get(key, range) {
      checkKey(key);
      const [opened, type] = await Promise.allSettled([
        openObject(objectFile(key), key, range),
        whenPresent(readFile(typeFile(key), 'utf8')),
      ]);
      if (opened.status === 'rejected') throw opened.reason;
      if (type.status === 'fulfilled') return { ...opened.value, contentType: type.value ?? defaultType };
      opened.value.stream.destroy();
      throw type.reason;
    },
    // Much less work than a stream: a search reads many texts.
    async read(key, most) {
      checkKey(key);
      const handle = await whenPresent(open(objectFile(key), 'r'));
      if (handle === null) throw new StorageNotFound(key);
      try {
        const found = await handle.stat();
        if (!found.isFile()) throw new StorageNotFound(key);
        const bytes = Buffer.allocUnsafe(Math.min(found.size, most ?? found.size));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
        return bytes.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
    stat: statOf,
    delete: deleteKey,
    async deletePrefix(prefix) {
      checkDeletablePrefix(prefix);
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
  const meter = new Meter();
  // flush: fsync before the file is closed.
  await pipeline(body, meter, handle.createWriteStream({ flush: true }));
  return meter.result();
}

/** Removes what writers left that were killed; no upload takes a day. */
export async function removeAbandoned(root: string) {
  const incoming = path.join(root, 'incoming');
  for (const { name } of await entriesOf(incoming)) {
    const found = await whenPresent(stat(path.join(incoming, name)));
    if (found && Date.now() - found.mtimeMs > 86_400_000) await rm(path.join(incoming, name), { force: true });
  }
}

async function openObject(
  file: string,
  key: string,
  range: Range = {},
): Promise<Pick<StoredObject, 'stream' | 'size'>> {
  const handle = await whenPresent(open(file, 'r'));
  if (handle === null) throw new StorageNotFound(key);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new StorageNotFound(key);
    const start = range.start ?? 0;
    const end = Math.min(range.end ?? Number.POSITIVE_INFINITY, found.size - 1);
    const isWhole = range.start === undefined && range.end === undefined;
    if (!isWhole && (start < 0 || start > end)) throw new StorageRangeInvalid(key);
    if (found.size === 0) {
      await handle.close();
      return { stream: Readable.from([]), size: 0 };
    }
    return { stream: handle.createReadStream({ start, end }), size: found.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Moves a finished file to its name; both the name and new folders are on disk afterwards. */
async function moveInto(unfinished: string, file: string) {
  const folder = path.dirname(file);
  for (let tries = 1; ; tries += 1) {
    const firstNew = await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await rename(unfinished, file);
      const top = firstNew ? path.dirname(firstNew) : folder;
      for (let synced = folder; ; synced = path.dirname(synced)) {
        await syncFolder(synced);
        if (synced === top) return;
      }
    } catch (error) {
      // A deletion took the folder away as empty in between.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 10) throw error;
    }
  }
}

/** A folder under the name of a file, or the reverse, means just as much that the file is not there. */
const missing = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

async function whenPresent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (missing.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const entriesOf = async (folder: string) => (await whenPresent(readdir(folder, { withFileTypes: true }))) ?? [];

async function removedEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || missing.has(code ?? '')) return false;
    throw error;
  }
}
