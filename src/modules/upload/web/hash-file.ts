import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const SLICE_BYTES = 1024 * 1024;

/**
 * Hashes a file in slices, so that the page stays responsive. crypto.subtle needs the whole file in memory and is
 * missing on sites without TLS.
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

export async function computePossessionProof(file: Blob, { nonce, ranges }: Challenge): Promise<string> {
  const hash = sha256.create().update(utf8ToBytes(nonce));
  for (const [start, length] of ranges)
    hash.update(new Uint8Array(await file.slice(start, start + length).arrayBuffer()));
  return bytesToHex(hash.digest());
}
