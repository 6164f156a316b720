import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    tier: 'quick' | 'full';
  }
}

/** Parameters of a property: a few fixed runs in `npm test`, many random ones in `npm run test:full`. */
export const propertyRuns = (runs: { quick: number; full: number }) =>
  inject('tier') === 'full' ? { numRuns: runs.full } : { numRuns: runs.quick, seed: 20_260_301 };
