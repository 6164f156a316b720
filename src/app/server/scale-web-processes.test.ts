import { expect, test } from 'vitest';
import { initialScalingState, nextScalingState } from './scale-web-processes.ts';

const afterChecks = (...shares: number[]) =>
  shares.reduce((state, share) => nextScalingState(state, share, 2), initialScalingState);
const quietChecks = (count: number) => Array.from({ length: count }, () => 0.01);

test.each([
  ['at the start', false, []],
  ['after one busy second', false, [1]],
  ['after two busy seconds', true, [0.9, 0.7]],
  ['after busy seconds with a pause between them', false, [1, 0.3, 1, 0.3]],
  ['when two processes share a load that one was busy with', true, [1, 1, ...Array.from({ length: 400 }, () => 0.15)]],
  ['after a short quiet time', true, [1, 1, ...quietChecks(299)]],
  ['after five quiet minutes', false, [1, 1, ...quietChecks(300)]],
  ['after quiet minutes that were interrupted by requests', true, [1, 1, ...quietChecks(299), 0.3, ...quietChecks(10)]],
  ['when the load returns after quiet minutes', true, [1, 1, ...quietChecks(300), 1, 1]],
])('the additional web processes %s: running is %s', (_, isScaledOut, shares) => {
  expect(afterChecks(...shares).isScaledOut).toBe(isScaledOut);
});
