import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Hopeless } from './failures.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Opens what a program behind the walls has made. Taken over by a document, it could leave a link to
 * a file of ours in its place, or in place of a folder on the way.
 */
export async function withMade<T>(
  folder: string,
  name: string,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const root = await realpath(folder);
  const file = path.join(root, name);
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const isInside = file.startsWith(root + path.sep);
    const isItself = (await readlink(`/proc/self/fd/${handle.fd}`)) === file;
    if (!isInside || !isItself || !(await handle.stat()).isFile())
      throw new Hopeless('文档试图读取不属于它的文件，已停止转换');
    return await use(handle);
  } finally {
    await handle.close();
  }
}

export const readMade = (folder: string, name: string): Promise<Buffer> =>
  withMade(folder, name, (file) => file.readFile());
