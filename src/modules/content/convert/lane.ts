import type { SandboxLimits } from '#platform/server/sandbox/task.ts';

/**
 * Every document starts on the fast lane, where an attempt gets little time. What needs more goes on
 * to the slow lane, behind all others, so that no document holds up the rest.
 */
export type Lane = 'fast' | 'slow';

/** Readers come before conversions, and the fast lane before the slow one. */
export const niceness = (lane: Lane): number => (lane === 'fast' ? 5 : 15);

const MB = 1024 * 1024;
const GB = 1024 * MB;

/** Processor time is what counts; the clock only ends what waits for something that never comes. */
export const officeLimits = (lane: Lane): SandboxLimits => ({
  wallMs: lane === 'fast' ? 60_000 : 900_000,
  cpuSeconds: lane === 'fast' ? 15 : 180,
  memoryBytes: 480 * MB,
  addressBytes: 4 * GB,
  fileBytes: 300 * MB,
});

/** A page that is not drawn within `silenceMs` is given up. Several processors work for one document. */
export const renderLimits = (lane: Lane): SandboxLimits => ({
  wallMs: lane === 'fast' ? 180_000 : 1_200_000,
  silenceMs: lane === 'fast' ? 15_000 : 60_000,
  cpuSeconds: lane === 'fast' ? 720 : 4_800,
  memoryBytes: 480 * MB,
  fileBytes: 300 * MB,
});

export const readLimits = (lane: Lane): SandboxLimits => ({
  wallMs: lane === 'fast' ? 60_000 : 900_000,
  cpuSeconds: lane === 'fast' ? 20 : 180,
  memoryBytes: 480 * MB,
  fileBytes: 300 * MB,
});
