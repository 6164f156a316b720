import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { PermanentConversionError } from './conversion-errors.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Opens a file or folder that a sandboxed program wrote. A malicious document could have replaced it, or a folder on
 * its path, by a link to a file of the site.
 */
async function openOutput(folder: string, name: string): Promise<FileHandle> {
  const root = await realpath(folder);
  const file = path.join(root, name);
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? outsideLinkError() : error;
  });
  const isInside = file.startsWith(root + path.sep);
  const isNotRedirected = (await readlink(`/proc/self/fd/${handle.fd}`)) === file;
  if (isInside && isNotRedirected) return handle;
  await handle.close();
  throw outsideLinkError();
}

const outsideLinkError = () => new PermanentConversionError('文档试图读取不属于它的文件，已停止转换');

export async function withOutputFile<T>(
  folder: string,
  name: string,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await openOutput(folder, name);
  try {
    if (!(await handle.stat()).isFile()) throw outsideLinkError();
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Call it before passing a file to a sandboxed program. A file in the work folder may have been replaced by a link that
 * leads outside the sandbox.
 */
export async function rejectLinkedInput(folder: string, file: string): Promise<void> {
  const name = path.relative(folder, file);
  if (name.startsWith('..')) return;
  const handle = await openOutput(folder, name);
  await handle.close();
}

export const readOutputFile = (folder: string, name: string): Promise<Buffer> =>
  withOutputFile(folder, name, (file) => file.readFile());
