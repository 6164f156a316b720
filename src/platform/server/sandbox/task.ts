export type SandboxLimits = {
  /** Milliseconds from start to end. */
  wallMs: number;
  /** Milliseconds without a line of output; for programs that report their progress. */
  silenceMs?: number;
  cpuSeconds: number;
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
  /** How far it gives way to everything else on the machine, as for the command of this name. */
  nice: number;
  signal?: AbortSignal;
  onLine?: (line: string) => void;
  /** Called at the start with the way to tell the program something. */
  control?: (send: (line: string) => void) => void;
};

export type SandboxEnd = {
  code: number | null;
  /** Why it was ended, or null when it ended by itself. */
  killedBy: 'time' | 'silence' | 'memory' | 'abort' | null;
  /** The last of what it said on standard error. */
  errors: string;
};
