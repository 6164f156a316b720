import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Runs `release` after the current test, or after the file if no test is running. */
export function onTestOrFileFinished(release: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(release);
  else afterAll(release);
}
