import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How long a component test waits for a change of the page. */
    waitTimeoutMs: number;
  }
}
