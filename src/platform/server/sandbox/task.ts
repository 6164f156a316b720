import type { Workload } from './workload.ts';

/** No limit counts time on the clock: on a busy machine that says nothing about the program. */
export type SandboxLimits = {
  /** Processor time of the program and all its children. */
  cpuSeconds: number;
  /** Processor time without a line of output; for programs that report their progress. */
  stallCpuSeconds?: number;
  /** Milliseconds in which the program neither wants the processor or the disk nor writes a line. */
  idleMs: number;
  /** Resident memory of the program and all its children. */
  memoryBytes: number;
  /** Address space, for programs that are honest about it; WASM engines reserve far more. */
  addressBytes?: number;
  /** The largest file it may write. */
  fileBytes: number;
};

export type SandboxTask = {
  command: string;
  args: readonly string[];
  /** The only folder it may write, seen as /work. */
  workFolder: string;
  /** What it may read besides the programs of the system. */
  reads?: readonly { from: string; to: string }[];
  env?: Record<string, string>;
  limits: SandboxLimits;
  /** Adds up processor time, and gives the priority. */
  workload: Workload;
  signal?: AbortSignal;
  onLine?: (line: string) => void;
  /** Called at the start with the way to tell the program something. */
  control?: (send: (line: string) => void) => void;
};

export type SandboxEnd = {
  code: number | null;
  /** Which limit ended it, or null when it ended by itself. */
  killedBy: 'cpu' | 'stall' | 'idle' | 'memory' | 'abort' | null;
  /** The last of what it said on standard error. */
  errors: string;
};
