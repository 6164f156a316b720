import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm test` runs the quick tests, `npm run test:full` all of them. */
    tier: 'quick' | 'full';
  }
}

/** The first row of a test table in the quick tier, all rows in the full tier. */
export const rowsForTier = <Row>(rows: readonly Row[]): Row[] =>
  rows.slice(0, inject('tier') === 'full' ? rows.length : 1);

/** A smaller amount in the quick tier, for tests with many similar requests. */
export const amountForTier = ({ quick, full }: { quick: number; full: number }) =>
  inject('tier') === 'full' ? full : quick;

/** Parameters of a property test: a few runs with a fixed seed in the quick tier, many random runs in the full tier. */
export const propertyRuns = (runs: { quick: number; full: number }) =>
  inject('tier') === 'full' ? { numRuns: runs.full } : { numRuns: runs.quick, seed: 20_260_301 };
