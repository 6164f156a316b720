import { expect, test } from 'vitest';
import { closeInReverse } from './close-in-reverse.ts';

test('closeInReverse calls all closers from last to first, and throws the error of a failing one at the end', async () => {
  const calls: string[] = [];
  const failure = new Error('the server does not close');
  const closePromise = closeInReverse([
    async () => calls.push('database'),
    async () => {
      calls.push('server');
      throw failure;
    },
    async () => calls.push('jobs'),
  ]);
  await expect(closePromise).rejects.toMatchObject({
    errors: [failure],
    message: 'Error: the server does not close',
  });
  expect(calls).toEqual(['jobs', 'server', 'database']);
});
