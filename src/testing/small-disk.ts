import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import type { Storage } from '#platform/server/storage/storage.ts';

const run = promisify(execFile);
const noSpace = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** A folder on a small file system of its own, or an ordinary one where mounting is not allowed. */
export async function smallDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'douku-disk-'));
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder])
    .then(() => true)
    .catch(() => false);
  afterAll(async () => {
    if (isMounted) await run('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  const filler = join(folder, 'filler');

  /** Takes every byte that is left. */
  async function fill() {
    const file = await open(filler, 'w');
    try {
      for (let bytes = 1024 * 1024; bytes >= 1; )
        await file.write(Buffer.alloc(bytes)).catch(() => {
          bytes = Math.floor(bytes / 2);
        });
    } finally {
      await file.close();
    }
  }

  return {
    folder,
    isMounted,
    /** Makes the disk full. Where it is not a file system of its own, its storage says so instead. */
    async fill(storage: Storage) {
      if (isMounted) await fill();
      else Object.assign(storage, { put: () => Promise.reject(noSpace()), check: storage.put });
    },
    empty: () => rm(filler, { force: true }),
  };
}
