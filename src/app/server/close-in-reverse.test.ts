import { expect, test } from 'vitest';
import { closeInReverse } from './close-in-reverse.ts';

test('closers are called from the last to the first, also after one that fails, whose error is thrown', async () => {
  const calls: string[] = [];
  const failure = new Error('the server does not close');
  const closing = closeInReverse([
    async () => calls.push('database'),
    async () => {
      calls.push('server');
      throw failure;
    },
    async () => calls.push('jobs'),
  ]);
  await expect(closing).rejects.toMatchObject({
    errors: [failure],
    message: 'Error: the server does not close',
  });
  expect(calls).toEqual(['jobs', 'server', 'database']);
});
