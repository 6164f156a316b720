import { afterAll, vi } from 'vitest';

// The test files of a worker share one process: a clock that one of them replaced would stand still
// for all files after it.
afterAll(() => {
  vi.useRealTimers();
});
