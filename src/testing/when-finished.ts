import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Runs `release` when the present test has finished, or with the file when no test is running. */
export function whenFinished(release: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(release);
  else afterAll(release);
}
