import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import type { SandboxResult } from '#platform/server/sandbox/sandbox-task.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { ConversionTimeout, PermanentConversionError, ProgramMissing } from './conversion-errors.ts';

/** Returns the path of a program for the sandbox. Users see `name` when it is missing. */
export async function requireProgram(command: string, name: string): Promise<string> {
  if (!(await isSandboxAvailable())) throw new ProgramMissing('沙箱 bubblewrap');
  const program = await findProgram(command);
  if (!program) throw new ProgramMissing(name);
  return program;
}

const SIGKILL_EXIT_CODE = 137;

/** Throws if the program was ended before it finished. */
export function assertProgramFinished({ killedBy, code }: SandboxResult, signal: AbortSignal): void {
  if (killedBy === 'abort') throw signal.reason;
  if (killedBy === 'memory') throw new PermanentConversionError('文档过大或过于复杂，无法转换');
  if (killedBy !== null) throw new ConversionTimeout();
  if (code === null || code === SIGKILL_EXIT_CODE) throw new Error('the system killed the program');
}
