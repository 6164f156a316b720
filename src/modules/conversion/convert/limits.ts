import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import type { SandboxLimits } from '#platform/server/sandbox/sandbox-task.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;
/** A program without processor and disk activity for this long is hanging. */
const IDLE_MS = 30_000;
/** Default of `converter.timeout`; the limits below apply to it. */
const DEFAULT_TIMEOUT_MINUTES = 3;

const officeLimits: SandboxLimits = {
  cpuSeconds: DEFAULT_TIMEOUT_MINUTES * 60,
  idleMs: IDLE_MS,
  memoryBytes: 480 * MB,
  addressBytes: 4 * GB,
  fileBytes: 300 * MB,
};

/** A page that is not drawn within `stallCpuSeconds` is skipped. Several processors work on one document. */
export const renderLimits: SandboxLimits = {
  cpuSeconds: 4_800,
  stallCpuSeconds: 60,
  idleMs: IDLE_MS,
  memoryBytes: 480 * MB,
  fileBytes: 300 * MB,
};

/** For programs that read a whole book or workbook before they write anything. */
export const readLimits: SandboxLimits = {
  cpuSeconds: DEFAULT_TIMEOUT_MINUTES * 60,
  idleMs: IDLE_MS,
  memoryBytes: 480 * MB,
  fileBytes: 300 * MB,
};

/** The rows of a workbook are in memory, up to 3 million cells. */
export const readWorkbookLimits: SandboxLimits = { ...readLimits, memoryBytes: 640 * MB };

/** For programs that write a PDF page by page; a page that takes longer than `stallCpuSeconds` ends them. */
const writePdfLimits: SandboxLimits = { ...renderLimits, fileBytes: GB };

/** Each Chinese font that an OFD document does not contain is in memory, with 20 MB. */
const writeOfdLimits: SandboxLimits = { ...writePdfLimits, memoryBytes: 640 * MB };

/** For one page that another program draws. */
const substituteLimits: SandboxLimits = { ...readLimits, cpuSeconds: 20 };

/** For a few pages of a document that was converted before; readers wait for them one after the other. */
const hiResLimits: SandboxLimits = { ...renderLimits, cpuSeconds: 120 };

/** For a file whose owner waits; a file can demand any number of key derivations. */
const unlockLimits: SandboxLimits = { ...readLimits, cpuSeconds: 60 };

/** For some pages of a scanned document; loading the models takes most of the memory. */
export const recognizeLimits: SandboxLimits = {
  cpuSeconds: 1_200,
  stallCpuSeconds: 120,
  idleMs: IDLE_MS,
  memoryBytes: GB,
  fileBytes: 100 * MB,
};

type LimitedWork =
  | 'office'
  | 'render'
  | 'read'
  | 'readWorkbook'
  | 'writePdf'
  | 'writeOfd'
  | 'substitute'
  | 'hiRes'
  | 'unlock'
  | 'recognize';
export type ConversionLimits = Record<LimitedWork, SandboxLimits>;

/** `converter.timeout` scales the processor time of all limits. */
export async function conversionLimits(ctx: Context): Promise<ConversionLimits> {
  const { converter } = await getSettings(ctx);
  const factor = converter.timeout / DEFAULT_TIMEOUT_MINUTES;
  return {
    office: scaleCpuTime(officeLimits, factor),
    render: scaleCpuTime(renderLimits, factor),
    read: scaleCpuTime(readLimits, factor),
    readWorkbook: scaleCpuTime(readWorkbookLimits, factor),
    writePdf: scaleCpuTime(writePdfLimits, factor),
    writeOfd: scaleCpuTime(writeOfdLimits, factor),
    substitute: scaleCpuTime(substituteLimits, factor),
    hiRes: scaleCpuTime(hiResLimits, factor),
    unlock: scaleCpuTime(unlockLimits, factor),
    recognize: scaleCpuTime(recognizeLimits, factor),
  };
}

const scaleCpuTime = (limits: SandboxLimits, factor: number): SandboxLimits => ({
  ...limits,
  cpuSeconds: limits.cpuSeconds * factor,
  ...(limits.stallCpuSeconds && { stallCpuSeconds: limits.stallCpuSeconds * factor }),
});
