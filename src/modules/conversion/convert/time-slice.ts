import type { FileFormat, QueueLevel } from '../conversion.contract.ts';
import { isOffice } from './run-libreoffice.ts';

/**
 * Processor seconds that a conversion may use in one go while others wait. A document that shows
 * nothing within its first slice is out of the ordinary; one that can be read already loses nothing
 * by stopping, so it gets longer slices.
 */
const SLICES: Record<1 | 2, number> = { 1: 40, 2: Number.POSITIVE_INFINITY };
const READABLE_SLICES: Record<QueueLevel, number> = { 0: 20, 1: 60, 2: 60 };

/** An ordinary document needs a few times what LibreOffice takes for an empty one, or half of that. */
const FIRST_SLICES = {
  withLibreOffice: { least: 4, emptyDocuments: 3 },
  withoutLibreOffice: { least: 2, emptyDocuments: 1.5 },
};

/** Until this machine's speed is measured. */
let emptyDocumentCpuSeconds = 2.5;

/** Machines differ in speed: the first slice is measured by what LibreOffice needs for nothing. */
export function calibrateSlices(cpuSeconds: number): void {
  emptyDocumentCpuSeconds = cpuSeconds;
}

type SlicedConversion = { level: QueueLevel; format: FileFormat; isReadable: boolean };

export function sliceSeconds({ level, format, isReadable }: SlicedConversion): number {
  if (isReadable) return READABLE_SLICES[level];
  if (level !== 0) return SLICES[level];
  const kind = isOffice(format) ? 'withLibreOffice' : 'withoutLibreOffice';
  const { least, emptyDocuments } = FIRST_SLICES[kind];
  return Math.max(least, emptyDocuments * emptyDocumentCpuSeconds);
}
