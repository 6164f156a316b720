import { scrypt } from '@noble/hashes/scrypt.js';
import { expect, test } from 'vitest';
import { hasLeadingZeroBits, SCRYPT_PARAMETERS } from '../proof-of-work.contract.ts';
import { solveProofOfWork } from './solve-proof-of-work.ts';

test('solveProofOfWork finds an answer whose hash has the required leading zero bits', async () => {
  const id = crypto.randomUUID();
  const answer = await solveProofOfWork(id, 5, new AbortController().signal);
  const hash = scrypt(answer, id, SCRYPT_PARAMETERS);
  expect(hash[0]).toBeLessThan(8);
  expect(hasLeadingZeroBits(hash, 5)).toBe(true);
});

test('solveProofOfWork stops when it is aborted', async () => {
  const controller = new AbortController();
  const solution = solveProofOfWork(crypto.randomUUID(), 20, controller.signal);
  controller.abort(new Error('closed'));
  await expect(solution).rejects.toThrow('closed');
});
