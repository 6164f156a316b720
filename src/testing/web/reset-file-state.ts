import { afterAll, vi } from 'vitest';

// The test files of a worker share one process: each file gets new modules, because stores keep their state in them.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});
