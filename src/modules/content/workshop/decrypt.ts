import { readFileSync, writeFileSync } from 'node:fs';
import officeCrypto from 'officecrypto-tool';
import { RefusedError } from './refusals.ts';

/** Writes a copy of an office document that opens without its password. */
export async function decrypt(
  { file, folder }: { file: string; folder: string },
  password: string,
) {
  const bytes = readFileSync(file);
  const copy = await officeCrypto.decrypt(bytes, { password }).catch((error: unknown) => {
    // The password is another one, or the encryption is none that the library knows.
    throw new RefusedError('encrypted', String(error));
  });
  writeFileSync(`${folder}/decrypted`, copy);
}
