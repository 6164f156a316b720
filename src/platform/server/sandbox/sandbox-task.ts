import type { Workload } from './workload.ts';

/** No limit counts elapsed time: on a busy machine that says nothing about the program. */
export type SandboxLimits = {
  /** Processor time of the program and its descendants. */
  cpuSeconds: number;
  /** Processor time without a line of output, for programs that report progress. */
  stallCpuSeconds?: number;
  /** Time in which the program neither uses the processor or the disk nor writes a line. */
  idleMs: number;
  /** Resident memory of the program and its descendants. */
  memoryBytes: number;
  /** Address space. Not for WASM engines, which reserve far more than they use. */
  addressBytes?: number;
  /** Maximum size of a file that the program writes. */
  fileBytes: number;
};

export type SandboxTask = {
  command: string;
  args: readonly string[];
  /** The only writable folder, mounted as /work. */
  workFolder: string;
  /** Readable files and folders besides the system. */
  readOnlyMounts?: readonly { from: string; to: string }[];
  env?: Record<string, string>;
  limits: SandboxLimits;
  /** Sums up processor time and sets the priority. */
  workload: Workload;
  signal?: AbortSignal;
  onLine?: (line: string) => void;
  /** Called at the start with a function that writes a line to standard input. */
  connectStdin?: (send: (line: string) => void) => void;
};

export type SandboxResult = {
  code: number | null;
  /** The limit that killed the program; null if the program ended by itself. */
  killedBy: 'cpu' | 'stall' | 'idle' | 'memory' | 'abort' | null;
  /** The end of standard error. */
  stderrTail: string;
};
