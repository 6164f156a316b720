import type { SandboxLimits } from '#platform/server/sandbox/task.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;
/** A program that wants nothing for so long waits for something that never comes. */
const IDLE_MS = 30_000;

export const officeLimits: SandboxLimits = {
  cpuSeconds: 180,
  idleMs: IDLE_MS,
  memoryBytes: 480 * MB,
  addressBytes: 4 * GB,
  fileBytes: 300 * MB,
};

/** A page that is not drawn within `stallCpuSeconds` is skipped. Several processors work for one document. */
export const renderLimits: SandboxLimits = {
  cpuSeconds: 4_800,
  stallCpuSeconds: 60,
  idleMs: IDLE_MS,
  memoryBytes: 480 * MB,
  fileBytes: 300 * MB,
};

/** Programs that read a whole book or workbook before they write anything. */
export const readLimits: SandboxLimits = {
  cpuSeconds: 180,
  idleMs: IDLE_MS,
  memoryBytes: 480 * MB,
  fileBytes: 300 * MB,
};

/** One page drawn by another program. */
export const substituteLimits: SandboxLimits = { ...readLimits, cpuSeconds: 20 };
