import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm test` runs the quick tests, `npm run test:full` all of them. */
    tier: 'quick' | 'full';
  }
}

/** The first row of a table of tests in the quick tier, all of them in the full one. */
export const firstOrAll = <Row>(rows: readonly Row[]): Row[] =>
  rows.slice(0, inject('tier') === 'full' ? rows.length : 1);

/** Parameters of a property: a few fixed runs in the quick tier, many random ones in the full one. */
export const propertyRuns = (runs: { quick: number; full: number }) =>
  inject('tier') === 'full' ? { numRuns: runs.full } : { numRuns: runs.quick, seed: 20_260_301 };
