import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hasLeadingZeros, WORK_COST } from '../proof-of-work.contract.ts';
import { solveWork } from './solve-work.ts';

test('the answer that the browser finds has the leading zero bits that the server counts', async () => {
  const id = crypto.randomUUID();
  const answer = await solveWork(id, 5, new AbortController().signal);
  const { N, r, p, dkLen } = WORK_COST;
  const hash = scryptSync(answer, id, dkLen, { N, r, p });
  expect(hash[0]).toBeLessThan(8);
  expect(hasLeadingZeros(hash, 5)).toBe(true);
});

test('work that is no longer needed stops', async () => {
  const controller = new AbortController();
  const working = solveWork(crypto.randomUUID(), 20, controller.signal);
  controller.abort(new Error('closed'));
  await expect(working).rejects.toThrow('closed');
});
