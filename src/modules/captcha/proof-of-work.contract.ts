/** 4 MB of memory for each hash, so that a graphics card or a native program is not much faster than a browser. */
export const SCRYPT_PARAMETERS = { N: 4096, r: 8, p: 1, dkLen: 16 } as const;

/** One of 2^bits hashes fulfils this on average. */
export function hasLeadingZeroBits(hash: Uint8Array, bits: number): boolean {
  for (let bit = 0; bit < bits; bit += 1) if (((hash[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) return false;
  return true;
}
