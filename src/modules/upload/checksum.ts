import { createHash } from 'node:crypto';
import { uploadErrors } from './upload.contract.ts';

export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'md5'];

/** Checksum of one part, from the header `Upload-Checksum: <algorithm> <base64>`. */
export type Checksum = { algorithm: string; digest: Buffer };

export function parseChecksum(header: string | string[] | undefined): Checksum | null {
  if (header === undefined) return null;
  const [algorithm = '', digest = ''] = String(header).split(' ');
  if (!CHECKSUM_ALGORITHMS.includes(algorithm)) throw uploadErrors.unsupportedChecksum();
  return { algorithm, digest: Buffer.from(digest, 'base64') };
}

/** Passes the bytes through and fails at their end if they do not have the checksum. */
export async function* verifyChecksum(bytes: AsyncIterable<Buffer>, { algorithm, digest }: Checksum) {
  const hash = createHash(algorithm);
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (!hash.digest().equals(digest)) throw uploadErrors.wrongChecksum();
}
