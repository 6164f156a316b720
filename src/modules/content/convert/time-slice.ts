import type { QueueLevel } from '../content.contract.ts';

/**
 * Processor seconds that a conversion may use in one go while others wait. A document that shows
 * nothing within its first slice is out of the ordinary; one that can be read already loses nothing
 * by stopping, so it gets longer slices.
 */
const SLICES: Record<QueueLevel, { unreadable: number; readable: number }> = {
  0: { unreadable: 4, readable: 20 },
  1: { unreadable: 40, readable: 60 },
  2: { unreadable: Number.POSITIVE_INFINITY, readable: 60 },
};

/** An ordinary document needs a few times what an empty one takes. */
const EMPTY_DOCUMENT_FACTOR = 3;

/** Until this machine's speed is measured. */
let emptyDocumentCpuSeconds = 2.5;

/** Machines differ in speed: the first slice is measured by what LibreOffice needs for nothing. */
export function calibrateSlices(cpuSeconds: number): void {
  emptyDocumentCpuSeconds = cpuSeconds;
}

export function sliceSeconds(level: QueueLevel, isReadable: boolean): number {
  const { unreadable, readable } = SLICES[level];
  if (isReadable) return readable;
  return Math.max(unreadable, level === 0 ? EMPTY_DOCUMENT_FACTOR * emptyDocumentCpuSeconds : 0);
}
