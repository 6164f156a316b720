import type { FileFormat, QueueLevel } from '../conversion.contract.ts';
import { isOfficeFormat } from './run-libreoffice.ts';

/**
 * Processor seconds that a conversion may use in one go while others wait. Most documents show their first page within
 * the first slice. A readable document loses nothing by stopping, so it gets longer slices.
 */
const SLICE_SECONDS: Record<1 | 2, number> = { 1: 40, 2: Number.POSITIVE_INFINITY };
const READABLE_SLICE_SECONDS: Record<QueueLevel, number> = { 0: 20, 1: 60, 2: 60 };

/** A typical document needs a small multiple of the time of an empty one. */
const FIRST_SLICES = {
  withLibreOffice: { minSeconds: 4, emptyDocumentFactor: 3 },
  withoutLibreOffice: { minSeconds: 2, emptyDocumentFactor: 1.5 },
};

/** Default until the speed of this machine is measured. */
let emptyDocumentCpuSeconds = 2.5;

/** Scales the first slice by the time that LibreOffice needs for an empty document on this machine. */
export function calibrateSlices(cpuSeconds: number): void {
  emptyDocumentCpuSeconds = cpuSeconds;
}

type SlicedConversion = { level: QueueLevel; format: FileFormat; isReadable: boolean };

export function sliceSeconds({ level, format, isReadable }: SlicedConversion): number {
  if (isReadable) return READABLE_SLICE_SECONDS[level];
  if (level !== 0) return SLICE_SECONDS[level];
  const kind = isOfficeFormat(format) ? 'withLibreOffice' : 'withoutLibreOffice';
  const { minSeconds, emptyDocumentFactor } = FIRST_SLICES[kind];
  return Math.max(minSeconds, emptyDocumentFactor * emptyDocumentCpuSeconds);
}
