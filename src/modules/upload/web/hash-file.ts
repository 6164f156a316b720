import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const SLICE_BYTES = 1024 * 1024;

/**
 * SHA-256 of a file, slice by slice, so that the page stays responsive and memory small. The browser's
 * own function would need the whole file at once, and is missing where the site has no certificate.
 */
export async function hashFile(
  file: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    hash.update(new Uint8Array(await file.slice(at, at + SLICE_BYTES).arrayBuffer()));
    signal.throwIfAborted();
    onProgress(Math.min(1, (at + SLICE_BYTES) / file.size));
  }
  return bytesToHex(hash.digest());
}

type Challenge = { nonce: string; ranges: [number, number][] };

/** Answers what only somebody who has the file can answer. */
export async function proveFile(file: Blob, { nonce, ranges }: Challenge): Promise<string> {
  const hash = sha256.create().update(utf8ToBytes(nonce));
  for (const [start, length] of ranges)
    hash.update(new Uint8Array(await file.slice(start, start + length).arrayBuffer()));
  return bytesToHex(hash.digest());
}
