import { scryptAsync } from '@noble/hashes/scrypt.js';
import { hasLeadingZeros, WORK_COST } from '../proof-of-work.contract.ts';

/** Tries answers one after the other; the page stays responsive in between. */
export async function solveWork(captchaId: string, bits: number, signal: AbortSignal): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const answer = String(attempt);
    if (hasLeadingZeros(await scryptAsync(answer, captchaId, WORK_COST), bits)) return answer;
  }
}
