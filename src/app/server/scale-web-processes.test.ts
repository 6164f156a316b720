import { afterEach, expect, test, vi } from 'vitest';
import { initialScalingState, nextScalingState, scaleWebProcesses } from './scale-web-processes.ts';

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

afterEach(() => {
  vi.useRealTimers();
});

test('a busy main thread starts the additional web processes once, five quiet minutes end them, and no step follows a stop', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const steps: string[] = [];
  let cpuMs = 0;
  const stop = scaleWebProcesses({
    processCount: 2,
    readCpuMs: () => cpuMs,
    scaleOut: async () => void steps.push('out'),
    scaleIn: async () => void steps.push('in'),
    onError: (error) => steps.push(String(error)),
  });
  const runSeconds = async (count: number, share: number) => {
    for (let second = 0; second < count; second += 1) {
      cpuMs += 1_000 * share;
      await vi.advanceTimersByTimeAsync(1_000);
    }
  };
  await runSeconds(10, 0.1);
  expect(steps).toEqual([]);
  await runSeconds(10, 0.8);
  expect(steps).toEqual(['out']);
  await runSeconds(300, 0);
  expect(steps).toEqual(['out', 'in']);
  stop();
  await runSeconds(10, 1);
  expect(steps).toEqual(['out', 'in']);
});
