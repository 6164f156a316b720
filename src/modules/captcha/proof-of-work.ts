import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { hasLeadingZeroBits, SCRYPT_PARAMETERS } from './proof-of-work.contract.ts';

type Scrypt = (
  password: string,
  salt: string,
  length: number,
  cost: { N: number; r: number; p: number },
) => Promise<Buffer>;
const scryptHash: Scrypt = promisify(scrypt);

/** The check costs a single hash. */
export async function isValidProof(captchaId: string, answer: string, bits: number): Promise<boolean> {
  const { N, r, p, dkLen } = SCRYPT_PARAMETERS;
  return hasLeadingZeroBits(await scryptHash(answer, captchaId, dkLen, { N, r, p }), bits);
}
