import type { Workload } from '#platform/server/sandbox/workload.ts';
import type { ConversionLimits } from './limits.ts';
import type { Workspace } from './workspace.ts';

/** One attempt at a conversion, shared by its steps and by the dispatcher that supervises it. */
export type Attempt = {
  workload: Workload;
  signal: AbortSignal;
  /** Pages are stored that readers can open: stopping now loses nothing. */
  isReadable: boolean;
  /** The dispatcher asks a readable document to stop after the present page. */
  isStopRequested: boolean;
};

export type ConversionTask = Attempt & { workspace: Workspace; limits: ConversionLimits };
