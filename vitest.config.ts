import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take long are in `*.full.test.ts` and run with `npm run test:full`. */
const tier = process.env.TEST_TIER === 'full' ? 'full' : 'quick';
const excludedTier = tier === 'full' ? [] : ['**/*.full.test.ts'];

/** Generous, because tests also run on busy machines: the limits only end tests that wait in vain. */
const limits = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 600_000 } },
};

/** Files that mostly wait for processes. They start first, so that the other files run beside them. */
const slowestFiles = [
  'conversion/corpus.full.test.ts',
  'jobs/jobs-recovery.full.test.ts',
  'server/hung-stores.full.test.ts',
  'server/start.full.test.ts',
  'convert/retry-limit.full.test.ts',
  'reading/page-image-rights.test.ts',
  'server/bad-input.test.ts',
  'cli/cli.test.ts',
  'postgres/postgres.full.test.ts',
  'account/login.test.ts',
];

/** Orders files by the list above, because a fresh checkout has no measured durations. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowestFiles.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? slowestFiles.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// Projects that have different numbers of workers run one after the other: `groupOrder`.
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        // Server code. Each file has its own database.
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['src/**/web/**', 'src/platform/server/storage/s3-storage.test.ts', ...excludedTier],
          globalSetup: ['src/testing/template-database.ts'],
          setupFiles: ['src/testing/restore-timers.ts', 'src/testing/cheap-passwords.ts'],
          ...limits,
          pool: 'forks',
          // Each worker loads the modules once: the server holds no state in memory that a request needs, and loading
          // the modules for each file takes longer than most tests.
          isolate: false,
          // One more than there are processors: many files wait for seconds at a time.
          maxWorkers: Math.max(2, availableParallelism()) + 1,
          provide: { tier, searchUrl: '' },
        },
      },
      {
        // Browser code without a page. A process for each file would take twice the processor time.
        test: {
          name: 'web',
          include: ['src/**/web/**/*.test.ts'],
          setupFiles: ['src/testing/web/reset-file-state.ts'],
          ...limits,
          pool: 'forks',
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // React components with the providers of the site. Loading jsdom, React and antd for each
        // file would take longer than its tests, so all files share one worker and its modules.
        test: {
          name: 'component',
          environment: 'jsdom',
          // Under the name `test` antd gives the same id to all of its elements.
          env: { NODE_ENV: 'development' },
          include: ['src/**/web/**/*.test.tsx'],
          setupFiles: ['src/testing/web/component-setup.ts'],
          ...limits,
          pool: 'forks',
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          // Rendering creates many short-lived objects; a larger young generation is collected less often.
          execArgv: ['--max-semi-space-size=64'],
          provide: { waitTimeoutMs: limits.expect.poll.timeout },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: excludedTier,
          globalSetup: ['src/testing/template-database.ts', 'e2e/support/browser.ts'],
          setupFiles: ['src/testing/cheap-passwords.ts'],
          ...limits,
          // Two, because browsers often wait; more would slow each other down.
          pool: 'forks',
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 3 },
          provide: { tier },
        },
      },
    ],
  },
});
