import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take long are in `*.full.test.ts` and run with `npm run test:full`. */
const tier = process.env.TEST_TIER === 'full' ? 'full' : 'quick';
const ofOtherTier = tier === 'full' ? [] : ['**/*.full.test.ts'];

/** A busy machine is slow, not wrong: these limits only end a test that waits for nothing. */
const limits = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 180_000 } },
};

/** They mostly wait or start processes of their own, so the others fit in beside them. */
const slowest = [
  'conversion/corpus.full.test.ts',
  'jobs/jobs-recovery.full.test.ts',
  'server/hung-stores.full.test.ts',
  'server/start.full.test.ts',
  'convert/three-attempts.test.ts',
  'reading/page-file-rights.test.ts',
  'server/bad-input.test.ts',
  'cli/cli.test.ts',
  'postgres/postgres.full.test.ts',
  'account/login.test.ts',
];

/** On a fresh checkout nobody has measured yet which files take long. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slowest.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? slowest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

// Projects that have different numbers of workers run one after the other: `groupOrder`.
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        // Everything that runs on the server, on a database of its own for each file.
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['src/**/web/**', 'src/platform/server/storage/s3-storage.test.ts', ...ofOtherTier],
          globalSetup: ['src/testing/template-database.ts'],
          setupFiles: ['src/testing/restore-timers.ts', 'src/testing/cheap-passwords.ts'],
          ...limits,
          pool: 'forks',
          // The server keeps nothing in memory that a request needs, so its modules are loaded once
          // a worker: loading them anew for each file takes longer than most of the tests.
          isolate: false,
          // One more than there are processors: many files wait for seconds at a time.
          maxWorkers: Math.max(2, availableParallelism()) + 1,
          provide: { tier, searchUrl: '' },
        },
      },
      {
        // Stores of the browser and what they replace in it: each file begins anew.
        test: {
          name: 'web',
          include: ['src/**/web/**/*.test.ts'],
          ...limits,
          pool: 'forks',
          isolate: true,
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
          exclude: ofOtherTier,
          globalSetup: ['src/testing/template-database.ts', 'e2e/support/browser.ts'],
          setupFiles: ['src/testing/cheap-passwords.ts'],
          ...limits,
          // Browsers often wait; more than two would be in each other's way.
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
