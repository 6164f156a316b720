import { scryptAsync } from '@noble/hashes/scrypt.js';
import { hasLeadingZeroBits, SCRYPT_PARAMETERS } from '../proof-of-work.contract.ts';

/** Tries answers in sequence; scryptAsync yields, so the page stays responsive. */
export async function solveProofOfWork(captchaId: string, bits: number, signal: AbortSignal): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const answer = String(attempt);
    if (hasLeadingZeroBits(await scryptAsync(answer, captchaId, SCRYPT_PARAMETERS), bits)) return answer;
  }
}
