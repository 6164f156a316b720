import type { Workload } from '#platform/server/sandbox/workload.ts';
import type { ConversionLimits } from './limits.ts';
import type { Workspace } from './workspace.ts';

/** After this many failures of unknown cause a document fails. */
export const MAX_ATTEMPTS = 3;

/** One attempt at a conversion, shared by its steps and by the dispatcher that supervises it. */
export type Attempt = {
  workload: Workload;
  signal: AbortSignal;
  /** Readers can open the stored pages, so stopping now loses nothing. */
  isReadable: boolean;
  /** Set by the dispatcher: a readable document stops after the current page. */
  isStopRequested: boolean;
};

export type ConversionTask = Attempt & { workspace: Workspace; limits: ConversionLimits };
