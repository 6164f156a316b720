import { copyFile, open, rename, stat, truncate } from 'node:fs/promises';
import path from 'node:path';

const limit = 2 * 1024 * 1024;

export const serverLogOf = (dataDir: string) => path.join(dataDir, 'postgres.log');

/** Keeps the server's log and its predecessor under the limit each; safe while the server writes. */
export async function boundServerLog(dataDir: string) {
  const file = serverLogOf(dataDir);
  const size = await sizeOf(file);
  if (size <= limit) return;
  // The server holds the file open for appending, so it is emptied in place rather than renamed.
  await copyFile(file, `${file}.new`);
  await truncate(file);
  await rename(`${file}.new`, `${file}.1`);
}

/** The last complaint the server wrote after byte `from`, for an error message. */
export async function lastComplaint(dataDir: string, from: number): Promise<string> {
  const handle = await open(serverLogOf(dataDir));
  try {
    const length = Math.min((await handle.stat()).size - from, 64 * 1024);
    const { buffer } = await handle.read({
      buffer: Buffer.alloc(Math.max(length, 0)),
      position: from,
    });
    const lines = buffer.toString('utf8').trim().split('\n');
    const complaint = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
    return complaint.replace(/^.*?(FATAL|PANIC): +/, '');
  } finally {
    await handle.close();
  }
}

export async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
