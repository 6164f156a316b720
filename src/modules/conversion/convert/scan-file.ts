import { open } from 'node:fs/promises';
import { fromFdPromise, type ZipFile } from 'yauzl';

/** Longer than any match of the patterns. */
const OVERLAP_CHARACTERS = 32;

/** Whether one of the chunks, or two together, match. A match must be shorter than the overlap. */
export async function chunksContain(texts: AsyncIterable<string>, pattern: RegExp): Promise<boolean> {
  let tail = '';
  for await (const chunk of texts) {
    const text = tail + chunk;
    if (pattern.test(text)) return true;
    tail = text.slice(-OVERLAP_CHARACTERS);
  }
  return false;
}

/** Opens an uploaded ZIP. `rejectEncryptedFileOrZipBomb` has limited the number and size of its entries. */
export async function withZip<T>(file: string, use: (zip: ZipFile) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r');
  try {
    const zip = await fromFdPromise(handle.fd, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: false,
    });
    return await use(zip);
  } finally {
    await handle.close();
  }
}
