import { copyFile, open, rename, stat, truncate } from 'node:fs/promises';
import path from 'node:path';

const MAX_LOG_BYTES = 2 * 1024 * 1024;

export const serverLogPath = (dataDir: string) => path.join(dataDir, 'postgres.log');

/** Limits the size of the log and of its predecessor. Can run while the server writes. */
export async function rotateServerLog(dataDir: string) {
  const file = serverLogPath(dataDir);
  const size = await fileSizeOrZero(file);
  if (size <= MAX_LOG_BYTES) return;
  // The server keeps the file open for appending, so the file is truncated instead of renamed.
  await copyFile(file, `${file}.new`);
  await truncate(file);
  await rename(`${file}.new`, `${file}.1`);
}

/** The last error that the server wrote after byte `from`, for an error message. */
export async function lastServerError(dataDir: string, from: number): Promise<string> {
  const handle = await open(serverLogPath(dataDir));
  try {
    const length = Math.min((await handle.stat()).size - from, 64 * 1024);
    const { buffer } = await handle.read({
      buffer: Buffer.alloc(Math.max(length, 0)),
      position: from,
    });
    const lines = buffer.toString('utf8').trim().split('\n');
    const errorLine = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
    return errorLine.replace(/^.*?(FATAL|PANIC): +/, '');
  } finally {
    await handle.close();
  }
}

export async function fileSizeOrZero(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
