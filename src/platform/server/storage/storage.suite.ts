import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { StorageKeyInvalid, StorageNotFound, StorageRangeInvalid } from './storage-errors.ts';
import type { Storage } from './storage-interface.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Tests that every implementation of Storage must pass. */
export function describeStorage(name: string, open: () => Promise<Storage>) {
  describe(name, { timeout: 60_000 }, () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await open();
    });
    const read = async (key: string, range?: { start?: number; end?: number }) =>
      buffer((await storage.get(key, range)).stream);
    const listKeys = async (prefix: string) => {
      const listedKeys: string[] = [];
      for await (const { key } of storage.list(prefix)) listedKeys.push(key);
      return listedKeys;
    };

    it('returns a stored object with its size, hash and content type', async () => {
      const bytes = Buffer.from('豆库里的一份文档');
      const storedObject = await storage.put('a/one.txt', bytes, { contentType: 'text/plain' });
      expect(storedObject).toEqual({ size: bytes.length, sha256: sha256(bytes) });
      const { stream, size, contentType } = await storage.get('a/one.txt');
      expect(await buffer(stream)).toEqual(bytes);
      expect({ size, contentType }).toEqual({ size: bytes.length, contentType: 'text/plain' });
      expect(await storage.stat('a/one.txt')).toEqual({ size: bytes.length });
    });

    it('gives an object without a content type application/octet-stream, also when it replaces one with a type', async () => {
      await storage.put('a/typed', Buffer.from('1'), { contentType: 'image/webp' });
      await storage.put('a/typed', Buffer.from('2'));
      const { stream, contentType } = await storage.get('a/typed');
      expect((await buffer(stream)).toString()).toBe('2');
      expect(contentType).toBe('application/octet-stream');
    });

    it('stores a stream of 12 MB', async () => {
      const part = randomBytes(1024 * 1024);
      const wholeBytes = Buffer.concat(Array.from({ length: 12 }, () => part));
      const storedObject = await storage.put('a/large', Readable.from(Array(12).fill(part)));
      expect(storedObject).toEqual({ size: wholeBytes.length, sha256: sha256(wholeBytes) });
      expect(sha256(await read('a/large'))).toBe(sha256(wholeBytes));
    });

    it('stores empty objects', async () => {
      await storage.put('a/empty', Buffer.alloc(0));
      await storage.put('a/empty-stream', Readable.from([]));
      for (const key of ['a/empty', 'a/empty-stream']) {
        expect(await storage.stat(key)).toEqual({ size: 0 });
        expect(await read(key)).toEqual(Buffer.alloc(0));
      }
    });

    it('returns byte ranges with inclusive ends', async () => {
      await storage.put('a/digits', Buffer.from('0123456789'));
      expect((await read('a/digits', { start: 2, end: 4 })).toString()).toBe('234');
      expect((await read('a/digits', { start: 7 })).toString()).toBe('789');
      expect((await read('a/digits', { end: 1 })).toString()).toBe('01');
      expect((await read('a/digits', { start: 8, end: 100 })).toString()).toBe('89');
      const first = await storage.get('a/digits', { start: 0, end: 0 });
      expect((await buffer(first.stream)).toString()).toBe('0');
      expect(first.size).toBe(10);
      await expect(storage.get('a/digits', { start: 10 })).rejects.toThrow(StorageRangeInvalid);
    });

    it('reads a small object into memory, as a whole or its first bytes', async () => {
      await storage.put('a/digits', Buffer.from('0123456789'));
      await storage.put('a/empty', Buffer.alloc(0));
      const text = async (key: string, maxBytes?: number) => (await storage.read(key, maxBytes)).toString();
      expect(await text('a/digits')).toBe('0123456789');
      expect(await text('a/digits', 4)).toBe('0123');
      expect(await text('a/digits', 100)).toBe('0123456789');
      expect([await text('a/empty'), await text('a/empty', 4)]).toEqual(['', '']);
      for (const key of ['absent', 'a', 'a/digits/below'])
        await expect(storage.read(key, 4)).rejects.toThrow(StorageNotFound);
      await expect(storage.read('../a')).rejects.toThrow(StorageKeyInvalid);
    });

    it('stores nothing when the stream of an upload fails, also after several megabytes', async () => {
      for (const megabytes of [0, 12]) {
        async function* failingChunks() {
          for (let index = 0; index < megabytes; index += 1) yield Buffer.alloc(1024 * 1024);
          yield Buffer.from('half');
          throw new Error('the stream failed');
        }
        const put = storage.put('broken/new', Readable.from(failingChunks()));
        await expect(put).rejects.toThrow('the stream failed');
        expect(await storage.stat('broken/new')).toBeNull();
        expect(await listKeys('broken/')).toEqual([]);
      }
    });

    it('keeps the old object when the stream of its replacement fails', async () => {
      await storage.put('kept', Buffer.from('old'));
      async function* failingChunks() {
        yield Buffer.from('new');
        throw new Error('the stream failed');
      }
      await expect(storage.put('kept', Readable.from(failingChunks()))).rejects.toThrow();
      expect((await read('kept')).toString()).toBe('old');
    });

    it('replaces an object atomically while others read it', async () => {
      const versions = [1, 2, 3, 4, 5, 6].map((digit) => Buffer.alloc(200_000, `${digit}`));
      await storage.put('race', versions[0] as Buffer);
      const reads = Array.from({ length: 12 }, async () => sha256(await read('race')));
      const writes = versions.map((version) => storage.put('race', version));
      await Promise.all(writes);
      for (const hash of await Promise.all(reads)) expect(versions.map(sha256)).toContain(hash);
    });

    it('reports a missing object as StorageNotFound or null', async () => {
      expect(await storage.stat('absent')).toBeNull();
      await expect(storage.get('absent')).rejects.toThrow(StorageNotFound);
      await expect(storage.get('kept/below')).rejects.toThrow(StorageNotFound);
      await expect(storage.get('a')).rejects.toThrow(StorageNotFound);
      await storage.delete('a');
      expect(await listKeys('a/')).toContain('a/one.txt');
    });

    it('deletes an object, and deleting it again is not an error', async () => {
      await storage.put('gone/now', Buffer.from('x'));
      await storage.delete('gone/now');
      await storage.delete('gone/now');
      expect(await storage.stat('gone/now')).toBeNull();
      await storage.put('gone/now', Buffer.from('y'));
      expect((await read('gone/now')).toString()).toBe('y');
    });

    it('lists keys by prefix, sorted, with sizes', async () => {
      for (const key of ['list/b/2', 'list/a', 'list/b.txt', 'list/b/1', 'list/b-1', 'lisp'])
        await storage.put(key, Buffer.from(key));
      expect(await listKeys('list/')).toEqual(['list/a', 'list/b-1', 'list/b.txt', 'list/b/1', 'list/b/2']);
      expect(await listKeys('list/b/')).toEqual(['list/b/1', 'list/b/2']);
      expect(await listKeys('list/b')).toHaveLength(4);
      expect(await listKeys('nothing/')).toEqual([]);
      for await (const { key, size } of storage.list('lisp')) expect(size).toBe(key.length);
      expect(await listKeys('')).toContain('lisp');
    });

    it('deletes all objects with a prefix and no others', async () => {
      for (const key of ['doc/1/page/1', 'doc/1/page/2', 'doc/1/cover', 'doc/10/cover'])
        await storage.put(key, Buffer.from(key));
      await storage.deletePrefix('doc/1/');
      await storage.deletePrefix('doc/1/');
      expect(await listKeys('doc/')).toEqual(['doc/10/cover']);
    });

    it.each([
      '',
      '/',
      '/etc/passwd',
      'a/../b',
      '..',
      'a..b',
      'a//b',
      'a/',
      './a',
      'A',
      'a b',
      'a\0',
      'a\\b',
      '文档',
      `${'x'.repeat(201)}`,
    ])('rejects the unsafe key %j', async (key) => {
      await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(StorageKeyInvalid);
      await expect(storage.get(key)).rejects.toThrow(StorageKeyInvalid);
      await expect(storage.stat(key)).rejects.toThrow(StorageKeyInvalid);
      await expect(storage.delete(key)).rejects.toThrow(StorageKeyInvalid);
    });

    it('rejects an empty or unsafe prefix for deletion', async () => {
      await expect(storage.deletePrefix('')).rejects.toThrow(StorageKeyInvalid);
      await expect(storage.deletePrefix('../')).rejects.toThrow(StorageKeyInvalid);
    });

    it('passes its check without leaving an object', async () => {
      const before = await listKeys('');
      await storage.check();
      expect(await listKeys('')).toEqual(before);
    });
  });
}
