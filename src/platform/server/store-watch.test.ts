import { expect, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { createStoreWatch, StoreUnresponsive } from './store-watch.ts';

const never = () => new Promise<never>(() => {});

test('a store that answers no probe ends the call, is named in the log, and is used again once it answers', async () => {
  const log = createLog('fatal');
  const failed = vi.spyOn(log, 'error');
  const recovered = vi.spyOn(log, 'info');
  let probe: () => Promise<unknown> = never;
  const watch = createStoreWatch({ store: 's3', probe: () => probe(), log });
  await expect(watch.call(never)).rejects.toBeInstanceOf(StoreUnresponsive);
  expect(failed.mock.calls).toEqual([[{ store: 's3', calls: 1 }, 'a store does not answer']]);
  const further = vi.fn(never);
  await expect(watch.call(further)).rejects.toBeInstanceOf(StoreUnresponsive);
  expect(further).not.toHaveBeenCalled();
  // An error is an answer too.
  probe = () => Promise.reject(new Error('forbidden'));
  await expect.poll(() => watch.call(async () => 'works').catch(() => 'fails')).toBe('works');
  expect(recovered.mock.calls).toEqual([[{ store: 's3' }, 'the store answers again']]);
});

test('a slow call to a store that answers probes is left alone', async () => {
  const watch = createStoreWatch({ store: 's3', probe: async () => {}, log: createLog('fatal') });
  const slow = () => new Promise<string>((resolve) => setTimeout(resolve, 4_000, 'done'));
  expect(await watch.call(slow)).toBe('done');
});
