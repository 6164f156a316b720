import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import type { SandboxLimits } from '#platform/server/sandbox/task.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;
/** A program that uses neither processor nor disk for this long waits for an event that never comes. */
const IDLE_MS = 30_000;
/** The default of `converter.timeout`, for which the limits below are written. */
const DEFAULT_TIMEOUT_MINUTES = 3;

const officeLimits: SandboxLimits = {
  cpuSeconds: DEFAULT_TIMEOUT_MINUTES * 60,
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
  cpuSeconds: DEFAULT_TIMEOUT_MINUTES * 60,
  idleMs: IDLE_MS,
  memoryBytes: 480 * MB,
  fileBytes: 300 * MB,
};

/** One page drawn by another program. */
const substituteLimits: SandboxLimits = { ...readLimits, cpuSeconds: 20 };

export type ConversionLimits = Record<'office' | 'render' | 'read' | 'substitute', SandboxLimits>;

/** The limits of this site: `converter.timeout` scales every limit of processor time. */
export async function conversionLimits(ctx: Context): Promise<ConversionLimits> {
  const { converter } = await getSettings(ctx);
  const factor = converter.timeout / DEFAULT_TIMEOUT_MINUTES;
  return {
    office: scaleCpuTime(officeLimits, factor),
    render: scaleCpuTime(renderLimits, factor),
    read: scaleCpuTime(readLimits, factor),
    substitute: scaleCpuTime(substituteLimits, factor),
  };
}

const scaleCpuTime = (limits: SandboxLimits, factor: number): SandboxLimits => ({
  ...limits,
  cpuSeconds: limits.cpuSeconds * factor,
  ...(limits.stallCpuSeconds && { stallCpuSeconds: limits.stallCpuSeconds * factor }),
});
