import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openStorage } from './open-storage.ts';
import { describeStorage } from './storage.suite.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'douku 存储-'));
afterAll(() => rmSync(dataDir, { recursive: true }));
const folder = path.join(dataDir, 'storage');

describeStorage('the local file storage', () => openStorage({ dataDir, storageUrl: null }));

describe('the folder of the local file storage', () => {
  it('contains no partial file after a write, and other users cannot read it', async () => {
    const storage = await openStorage({ dataDir, storageUrl: null });
    await storage.put('private/file', Buffer.from('x'));
    expect(readdirSync(path.join(folder, 'incoming'))).toEqual([]);
    expect(statSync(path.join(folder, 'objects/private')).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, 'objects/private/file')).mode & 0o777).toBe(0o600);
  });

  it('contains no empty folder after the last file of a folder is deleted', async () => {
    const storage = await openStorage({ dataDir, storageUrl: null });
    await storage.put('deep/er/file', Buffer.from('x'), { contentType: 'text/plain' });
    await storage.delete('deep/er/file');
    expect(readdirSync(path.join(folder, 'objects'))).not.toContain('deep');
    expect(readdirSync(path.join(folder, 'types'))).not.toContain('deep');
  });

  it('loses the partial files of killed writers when the storage is opened, but not those of running uploads', async () => {
    const [abandonedFile, currentFile] = ['abandoned', 'current'].map((name) =>
      path.join(folder, 'incoming', name),
    ) as [string, string];
    for (const file of [abandonedFile, currentFile]) writeFileSync(file, 'half');
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    utimesSync(abandonedFile, twoDaysAgo, twoDaysAgo);
    await openStorage({ dataDir, storageUrl: null });
    expect(readdirSync(path.join(folder, 'incoming'))).toEqual(['current']);
    rmSync(currentFile);
  });

  it('makes the check fail when it is not writable', async () => {
    const file = path.join(dataDir, 'not-a-folder');
    writeFileSync(file, '');
    const storage = await openStorage({ dataDir: file, storageUrl: null });
    await expect(storage.check()).rejects.toThrow('ENOTDIR');
  });
});
