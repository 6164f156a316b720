import { afterAll, vi } from 'vitest';

// The test files of a worker share one process: fake timers of one file would affect all later files.
afterAll(() => {
  vi.useRealTimers();
});
