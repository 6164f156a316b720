import { scrypt } from '@noble/hashes/scrypt.js';
import { expect, test } from 'vitest';
import { hasLeadingZeros, WORK_COST } from '../proof-of-work.contract.ts';
import { solveWork } from './solve-work.ts';

test('the answer that the browser finds has the leading zero bits that are asked for', async () => {
  const id = crypto.randomUUID();
  const answer = await solveWork(id, 5, new AbortController().signal);
  const hash = scrypt(answer, id, WORK_COST);
  expect(hash[0]).toBeLessThan(8);
  expect(hasLeadingZeros(hash, 5)).toBe(true);
});

test('work that is no longer needed stops', async () => {
  const controller = new AbortController();
  const working = solveWork(crypto.randomUUID(), 20, controller.signal);
  controller.abort(new Error('closed'));
  await expect(working).rejects.toThrow('closed');
});
