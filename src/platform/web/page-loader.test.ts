import { beforeEach, expect, test, vi } from 'vitest';
import { browserLoader, reloadBehindSkeleton } from './page-loader.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.useRealTimers();
});

const loader = browserLoader(async () => 'page');
const args = { params: {}, request: new Request('http://localhost/document/1') };

test('a page that loads behind a skeleton is shown after 200 ms, so that the skeleton does not flash', async () => {
  const onLoaded = vi.fn();
  const reload = reloadBehindSkeleton(async () => onLoaded(await loader(args)));
  await vi.advanceTimersByTimeAsync(199);
  expect(onLoaded).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onLoaded).toHaveBeenCalledExactlyOnceWith('page');
  await reload;
});

test('a page without a skeleton is shown as soon as it is loaded', async () => {
  await reloadBehindSkeleton(async () => {});
  expect(await loader(args)).toBe('page');
});
