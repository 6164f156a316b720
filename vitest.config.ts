import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: ['src/platform/server/storage/s3.test.ts'],
          globalSetup: ['src/testing/template-database.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          pool: 'forks',
          isolate: true,
          // A busy machine is slow, not wrong.
          expect: { poll: { timeout: 5_000 } },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['src/testing/template-database.ts', 'e2e/support/browser.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
