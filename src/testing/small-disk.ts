import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import type { Storage } from '#platform/server/storage/open-storage.ts';

const run = promisify(execFile);
const noSpace = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** Mounts a small file system, or creates an ordinary folder where mounting is not allowed. */
export async function mountSmallDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'douku-disk-'));
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder])
    .then(() => true)
    .catch(() => false);
  afterAll(async () => {
    if (isMounted) await run('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  const filler = join(folder, 'filler');

  async function writeUntilFull() {
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
    /** Fills the disk. Without a mounted file system, the storage is changed to report ENOSPC. */
    async fill(storage: Storage) {
      if (isMounted) await writeUntilFull();
      else Object.assign(storage, { put: () => Promise.reject(noSpace()), check: storage.put });
    },
    empty: () => rm(filler, { force: true }),
  };
}
