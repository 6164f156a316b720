import { createHash } from 'node:crypto';
import { rc4 } from './document-files.fixture.ts';

const KEY_BITS = 128;
const CRYPTO_API = 4;
const RC4_ALGORITHM = 0x6801;
const SHA1_ALGORITHM = 0x8004;
const SHA1_BYTES = 20;

const cryptoApiSalt = Buffer.alloc(16, 3);

const sha1 = (...parts: Buffer[]) => createHash('sha1').update(Buffer.concat(parts)).digest();

export const uint32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

/** RC4 key of a block of an Office 2003 file; MS-OFFCRYPTO 2.3.5.2. */
export const cryptoApiKey = (password: string, block: number): Buffer =>
  sha1(sha1(cryptoApiSalt, Buffer.from(password, 'utf16le')), uint32(block)).subarray(0, KEY_BITS / 8);

/** Encryption parameters, salt and password verifier of an Office 2003 file; MS-OFFCRYPTO 2.3.5.1. */
export function cryptoApiParameters(password: string, providerName: string): Buffer {
  const header = Buffer.concat([
    uint32(CRYPTO_API, 0, RC4_ALGORITHM, SHA1_ALGORITHM, KEY_BITS, 1, 0, 0),
    Buffer.from(`${providerName}\0`, 'utf16le'),
  ]);
  const verifier = Buffer.alloc(16, 9);
  const encryptedVerifier = rc4(cryptoApiKey(password, 0), Buffer.concat([verifier, sha1(verifier)]));
  return Buffer.concat([
    uint32(CRYPTO_API, header.length),
    header,
    uint32(cryptoApiSalt.length),
    cryptoApiSalt,
    encryptedVerifier.subarray(0, 16),
    uint32(SHA1_BYTES),
    encryptedVerifier.subarray(16),
  ]);
}
