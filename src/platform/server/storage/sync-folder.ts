import { open } from 'node:fs/promises';

/** Has the names in a folder on disk, so that a power failure does not take them back. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
