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

test('a work folder is gone after the work, also when that failed', async () => {
  const failing = withWorkFolder(dataDir, async (folder) => {
    await writeFile(path.join(folder, 'file'), 'x');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(await readdir(path.join(dataDir, 'tmp'))).toEqual([]);
});

test('folders of dead processes and forgotten ones go, those in use stay', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const root = path.join(dataDir, 'tmp');
  const dead = `${machine}-${child.pid}-1-a`;
  const reborn = `${machine}-${process.pid}-1-b`;
  const [old, foreign] = ['elsewhere-1-1-c', 'elsewhere-1-1-d'];
  for (const name of [dead, reborn, old, foreign]) await mkdir(path.join(root, name), { recursive: true });
  await utimes(path.join(root, old), 0, 0);
  await withWorkFolder(dataDir, async (folder) => {
    expect(await removeAbandonedFolders(dataDir)).toBe(3);
    expect(existsSync(folder)).toBe(true);
    expect(existsSync(path.join(root, foreign))).toBe(true);
  });
});

test('the folder of work that takes longer than a folder may be abandoned stays', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await withWorkFolder(dataDir, async (folder) => {
    await utimes(folder, 0, 0);
    vi.advanceTimersByTime(10 * 60 * 1000);
    await vi.waitFor(async () => expect((await stat(folder)).mtimeMs).toBeGreaterThan(0));
    await removeAbandonedFolders(dataDir);
    expect(existsSync(folder)).toBe(true);
  });
  expect(vi.getTimerCount()).toBe(0);
});
