import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Time limit of a component test for waiting until the page changes. */
    waitTimeoutMs: number;
  }
}
