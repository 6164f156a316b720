import { scryptAsync } from '@noble/hashes/scrypt.js';
import { hasLeadingZeroBits, SCRYPT_PARAMETERS } from '../proof-of-work.contract.ts';

/** Tries answers one after the other; the page stays responsive in between. */
export async function solveProofOfWork(captchaId: string, bits: number, signal: AbortSignal): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const answer = String(attempt);
    if (hasLeadingZeroBits(await scryptAsync(answer, captchaId, SCRYPT_PARAMETERS), bits)) return answer;
  }
}
