import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { PermanentConversionError } from './conversion-errors.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Opens a file or folder that a sandboxed program wrote. A document that took the program over could
 * leave a link to a file of ours in its place, or in place of a folder on the way.
 */
async function openOutput(folder: string, name: string): Promise<FileHandle> {
  const root = await realpath(folder);
  const file = path.join(root, name);
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? linkRefused() : error;
  });
  const isInside = file.startsWith(root + path.sep);
  const isItself = (await readlink(`/proc/self/fd/${handle.fd}`)) === file;
  if (isInside && isItself) return handle;
  await handle.close();
  throw linkRefused();
}

const linkRefused = () => new PermanentConversionError('文档试图读取不属于它的文件，已停止转换');

export async function withOutputFile<T>(
  folder: string,
  name: string,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await openOutput(folder, name);
  try {
    if (!(await handle.stat()).isFile()) throw linkRefused();
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Call it before a file is given to a sandboxed program. One that lies in the work folder may have been
 * replaced by a link, and the sandbox would follow it outside of the sandbox.
 */
export async function checkInput(folder: string, file: string): Promise<void> {
  const name = path.relative(folder, file);
  if (name.startsWith('..')) return;
  const handle = await openOutput(folder, name);
  await handle.close();
}

export const readOutputFile = (folder: string, name: string): Promise<Buffer> =>
  withOutputFile(folder, name, (file) => file.readFile());
