import type { Workload } from '#platform/server/sandbox/workload.ts';
import type { ConversionLimits } from './limits.ts';

export type WritePdfTask = {
  input: string;
  /** Programs write here, also the PDF. */
  folder: string;
  limits: ConversionLimits;
  workload: Workload;
  signal: AbortSignal;
};
