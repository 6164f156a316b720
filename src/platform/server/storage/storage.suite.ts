import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from './driver.ts';
import { StorageKeyInvalid, StorageNotFound, StorageRangeInvalid } from './storage-errors.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** What every storage does, whatever is behind it. */
export function describeStorage(name: string, open: () => Promise<Storage>) {
  describe(name, { timeout: 60_000 }, () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await open();
    });
    const read = async (key: string, range?: { start?: number; end?: number }) =>
      buffer((await storage.get(key, range)).stream);
    const keys = async (prefix: string) => {
      const found: string[] = [];
      for await (const { key } of storage.list(prefix)) found.push(key);
      return found;
    };

    it('gives back what was stored, with its size, hash and content type', async () => {
      const bytes = Buffer.from('豆库里的一份文档');
      const stored = await storage.put('a/one.txt', bytes, { contentType: 'text/plain' });
      expect(stored).toEqual({ size: bytes.length, sha256: sha256(bytes) });
      const { stream, size, contentType } = await storage.get('a/one.txt');
      expect(await buffer(stream)).toEqual(bytes);
      expect({ size, contentType }).toEqual({ size: bytes.length, contentType: 'text/plain' });
      expect(await storage.stat('a/one.txt')).toEqual({ size: bytes.length });
    });

    it('calls content without a type application/octet-stream, also over one that had a type', async () => {
      await storage.put('a/typed', Buffer.from('1'), { contentType: 'image/webp' });
      await storage.put('a/typed', Buffer.from('2'));
      const { stream, contentType } = await storage.get('a/typed');
      expect((await buffer(stream)).toString()).toBe('2');
      expect(contentType).toBe('application/octet-stream');
    });

    it('stores a stream of 12 MB', async () => {
      const part = randomBytes(1024 * 1024);
      const whole = Buffer.concat(Array.from({ length: 12 }, () => part));
      const stored = await storage.put('a/large', Readable.from(Array(12).fill(part)));
      expect(stored).toEqual({ size: whole.length, sha256: sha256(whole) });
      expect(sha256(await read('a/large'))).toBe(sha256(whole));
    });

    it('stores nothing as nothing', async () => {
      await storage.put('a/empty', Buffer.alloc(0));
      await storage.put('a/empty-stream', Readable.from([]));
      for (const key of ['a/empty', 'a/empty-stream']) {
        expect(await storage.stat(key)).toEqual({ size: 0 });
        expect(await read(key)).toEqual(Buffer.alloc(0));
      }
    });

    it('gives byte ranges, both ends included', async () => {
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

    it('reads small things at once, whole or their beginning', async () => {
      await storage.put('a/digits', Buffer.from('0123456789'));
      await storage.put('a/empty', Buffer.alloc(0));
      const text = async (key: string, most?: number) => (await storage.read(key, most)).toString();
      expect(await text('a/digits')).toBe('0123456789');
      expect(await text('a/digits', 4)).toBe('0123');
      expect(await text('a/digits', 100)).toBe('0123456789');
      expect([await text('a/empty'), await text('a/empty', 4)]).toEqual(['', '']);
      for (const key of ['absent', 'a', 'a/digits/below'])
        await expect(storage.read(key, 4)).rejects.toThrow(StorageNotFound);
      await expect(storage.read('../a')).rejects.toThrow(StorageKeyInvalid);
    });

    it('shows nothing of an upload whose stream breaks, however much had arrived', async () => {
      for (const megabytes of [0, 12]) {
        async function* breaking() {
          for (let sent = 0; sent < megabytes; sent += 1) yield Buffer.alloc(1024 * 1024);
          yield Buffer.from('half');
          throw new Error('the sender went away');
        }
        const put = storage.put('broken/new', Readable.from(breaking()));
        await expect(put).rejects.toThrow('the sender went away');
        expect(await storage.stat('broken/new')).toBeNull();
        expect(await keys('broken/')).toEqual([]);
      }
    });

    it('keeps the old content when the stream of a replacement breaks', async () => {
      await storage.put('kept', Buffer.from('old'));
      async function* breaking() {
        yield Buffer.from('new');
        throw new Error('the sender went away');
      }
      await expect(storage.put('kept', Readable.from(breaking()))).rejects.toThrow();
      expect((await read('kept')).toString()).toBe('old');
    });

    it('replaces content as a whole while others read it', async () => {
      const versions = [1, 2, 3, 4, 5, 6].map((digit) => Buffer.alloc(200_000, `${digit}`));
      await storage.put('race', versions[0] as Buffer);
      const reads = Array.from({ length: 12 }, async () => sha256(await read('race')));
      const writes = versions.map((version) => storage.put('race', version));
      await Promise.all(writes);
      for (const hash of await Promise.all(reads)) expect(versions.map(sha256)).toContain(hash);
    });

    it('says clearly that something is not there', async () => {
      expect(await storage.stat('absent')).toBeNull();
      await expect(storage.get('absent')).rejects.toThrow(StorageNotFound);
      await expect(storage.get('kept/below')).rejects.toThrow(StorageNotFound);
      await expect(storage.get('a')).rejects.toThrow(StorageNotFound);
      await storage.delete('a');
      expect(await keys('a/')).toContain('a/one.txt');
    });

    it('deletes, and deleting again is no error', async () => {
      await storage.put('gone/now', Buffer.from('x'));
      await storage.delete('gone/now');
      await storage.delete('gone/now');
      expect(await storage.stat('gone/now')).toBeNull();
      await storage.put('gone/now', Buffer.from('y'));
      expect((await read('gone/now')).toString()).toBe('y');
    });

    it('lists keys by their beginning, in order, with sizes', async () => {
      for (const key of ['list/b/2', 'list/a', 'list/b.txt', 'list/b/1', 'list/b-1', 'lisp'])
        await storage.put(key, Buffer.from(key));
      expect(await keys('list/')).toEqual(['list/a', 'list/b-1', 'list/b.txt', 'list/b/1', 'list/b/2']);
      expect(await keys('list/b/')).toEqual(['list/b/1', 'list/b/2']);
      expect(await keys('list/b')).toHaveLength(4);
      expect(await keys('nothing/')).toEqual([]);
      for await (const { key, size } of storage.list('lisp')) expect(size).toBe(key.length);
      expect(await keys('')).toContain('lisp');
    });

    it('deletes everything below a beginning and nothing else', async () => {
      for (const key of ['doc/1/page/1', 'doc/1/page/2', 'doc/1/cover', 'doc/10/cover'])
        await storage.put(key, Buffer.from(key));
      await storage.deletePrefix('doc/1/');
      await storage.deletePrefix('doc/1/');
      expect(await keys('doc/')).toEqual(['doc/10/cover']);
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
    ])('refuses the unsafe key %j', async (key) => {
      await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(StorageKeyInvalid);
      await expect(storage.get(key)).rejects.toThrow(StorageKeyInvalid);
      await expect(storage.stat(key)).rejects.toThrow(StorageKeyInvalid);
      await expect(storage.delete(key)).rejects.toThrow(StorageKeyInvalid);
    });

    it('never deletes everything at once', async () => {
      await expect(storage.deletePrefix('')).rejects.toThrow(StorageKeyInvalid);
      await expect(storage.deletePrefix('../')).rejects.toThrow(StorageKeyInvalid);
    });

    it('reports that it is reachable and writable, and leaves no trace of the check', async () => {
      const before = await keys('');
      await storage.check();
      expect(await keys('')).toEqual(before);
    });
  });
}
