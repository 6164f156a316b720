import { expect, test, vi } from 'vitest';
import { createHangDetector, StoreUnresponsiveError } from './hang-detector.ts';
import { createLog } from './log.ts';

const hang = () => new Promise<never>(() => {});

test('the hang detector aborts a call to a store that answers no probe, logs the store, and allows calls again after an answer', async () => {
  const log = createLog('fatal');
  const logError = vi.spyOn(log, 'error');
  const logInfo = vi.spyOn(log, 'info');
  let probe: () => Promise<unknown> = hang;
  const detector = createHangDetector({ store: 's3', probe: () => probe(), log });
  await expect(detector.call(hang)).rejects.toBeInstanceOf(StoreUnresponsiveError);
  expect(logError.mock.calls).toEqual([[{ store: 's3', calls: 1 }, 'a store does not answer']]);
  const furtherCall = vi.fn(hang);
  await expect(detector.call(furtherCall)).rejects.toBeInstanceOf(StoreUnresponsiveError);
  expect(furtherCall).not.toHaveBeenCalled();
  // An error of the probe also proves that the store answers.
  probe = () => Promise.reject(new Error('forbidden'));
  await expect.poll(() => detector.call(async () => 'works').catch(() => 'fails')).toBe('works');
  expect(logInfo.mock.calls).toEqual([[{ store: 's3' }, 'the store answers again']]);
});

test('the hang detector does not abort a slow call to a store that answers probes', async () => {
  const detector = createHangDetector({ store: 's3', probe: async () => {}, log: createLog('fatal') });
  const slowCall = () => new Promise<string>((resolve) => setTimeout(resolve, 4_000, 'done'));
  expect(await detector.call(slowCall)).toBe('done');
});
