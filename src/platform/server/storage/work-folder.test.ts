import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { removeAbandonedFolders, withWorkFolder } from './work-folder.ts';

afterEach(() => vi.useRealTimers());

const dataDir = await mkdtemp(path.join(tmpdir(), 'douku-work-'));
const machine = await withWorkFolder(dataDir, async (folder) => path.basename(folder).split('-')[0]);

test('withWorkFolder deletes the folder after the work fails', async () => {
  const failingWork = withWorkFolder(dataDir, async (folder) => {
    await writeFile(path.join(folder, 'file'), 'x');
    throw new Error('work failed');
  });
  await expect(failingWork).rejects.toThrow('work failed');
  expect(await readdir(path.join(dataDir, 'tmp'))).toEqual([]);
});

test('removeAbandonedFolders deletes folders of dead processes and old folders, and keeps those in use', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const root = path.join(dataDir, 'tmp');
  const deadProcessFolder = `${machine}-${child.pid}-1-a`;
  const reusedPidFolder = `${machine}-${process.pid}-1-b`;
  const [oldFolder, otherMachineFolder] = ['elsewhere-1-1-c', 'elsewhere-1-1-d'];
  for (const name of [deadProcessFolder, reusedPidFolder, oldFolder, otherMachineFolder])
    await mkdir(path.join(root, name), { recursive: true });
  await utimes(path.join(root, oldFolder), 0, 0);
  await withWorkFolder(dataDir, async (folder) => {
    expect(await removeAbandonedFolders(dataDir)).toBe(3);
    expect(existsSync(folder)).toBe(true);
    expect(existsSync(path.join(root, otherMachineFolder))).toBe(true);
  });
});

test('withWorkFolder renews the folder of long work, so that it does not count as abandoned', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await withWorkFolder(dataDir, async (folder) => {
    await utimes(folder, 0, 0);
    vi.advanceTimersByTime(10 * 60 * 1000);
    await expect.poll(async () => (await stat(folder)).mtimeMs).toBeGreaterThan(0);
    await removeAbandonedFolders(dataDir);
    expect(existsSync(folder)).toBe(true);
  });
  expect(vi.getTimerCount()).toBe(0);
});
