import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { listDescendantPids } from './process-tree.ts';
import { bwrapArguments, niceArguments, prlimitArguments } from './sandbox-arguments.ts';
import type { SandboxResult, SandboxTask } from './sandbox-task.ts';
import { watchLimits } from './watch-limits.ts';

const MAX_STDERR_LENGTH = 4_000;
/** Time for reading the buffered output of a killed program. */
const PIPE_CLOSE_DELAY_MS = 2_000;
const MAX_LINE_BYTES = 1_000_000;

/**
 * Runs a program on untrusted input in a sandbox: without network and environment, with access only to its folder, and
 * with resource limits. The program and its children die with this process.
 */
export async function runIsolatedProgram(task: SandboxTask): Promise<SandboxResult> {
  const { command, args } = task;
  return superviseProgram(
    task,
    spawn(
      'prlimit',
      [
        ...prlimitArguments(task),
        '--',
        'bwrap',
        ...bwrapArguments(task),
        '--',
        ...niceArguments(task),
        command,
        ...args,
      ],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
        env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
      },
    ),
  );
}

/** Enforces the limits that the kernel does not enforce, until the program and its children have ended. */
export async function superviseProgram(
  task: Pick<SandboxTask, 'limits' | 'workload' | 'signal' | 'onLine' | 'connectStdin'>,
  child: ChildProcess,
): Promise<SandboxResult> {
  const { signal, onLine, connectStdin } = task;
  const result: SandboxResult = { code: null, killedBy: null, stderrTail: '' };
  let pipeCloseTimer: NodeJS.Timeout | undefined;
  const kill = (reason: NonNullable<SandboxResult['killedBy']>) => {
    result.killedBy ??= reason;
    killTree(child);
    // A descendant that left the process tree may keep the pipes open, so they are closed here.
    pipeCloseTimer ??= setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, PIPE_CLOSE_DELAY_MS);
  };
  const abort = () => kill('abort');
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const watch = watchLimits(child, task, kill);
  // A write to a program that has ended raises an error; the end itself is handled below.
  child.stdin?.on('error', () => {});
  if (connectStdin) connectStdin((line) => child.stdin?.write(`${line}\n`));
  else child.stdin?.end();

  const stderr = child.stderr?.setEncoding('utf8');
  stderr?.on('data', (text: string) => {
    result.stderrTail = (result.stderrTail + text).slice(-MAX_STDERR_LENGTH);
  });
  let failure: unknown;
  const stop = (error: unknown) => {
    failure ??= error;
    kill('abort');
  };
  // Registered before readline, which buffers an unfinished line without limit.
  if (child.stdout) watchLineLength(child.stdout, stop);
  const lines = child.stdout && createInterface({ input: child.stdout });
  lines?.on('line', (line) => {
    watch.onOutputLine();
    if (failure) return;
    try {
      onLine?.(line);
    } catch (error) {
      stop(error);
    }
  });
  try {
    const [code] = await once(child, 'close');
    result.code = code;
  } finally {
    clearTimeout(pipeCloseTimer);
    watch.stop();
    signal?.removeEventListener('abort', abort);
    killTree(child);
  }
  if (failure) throw failure;
  return result;
}

/** Stops reading and reports an error if a line is too long. */
function watchLineLength(output: Readable, onTooLong: (error: Error) => void): void {
  let bytes = 0;
  output.on('data', (chunk: Buffer) => {
    const result = chunk.lastIndexOf('\n');
    bytes = result < 0 ? bytes + chunk.length : chunk.length - result - 1;
    if (bytes <= MAX_LINE_BYTES) return;
    output.destroy();
    onTooLong(new Error('the program wrote an endless line'));
  });
}

/**
 * Kills the program, its process group, and descendants in other sessions. bwrap ties its child to its own life only
 * after the child has started: if bwrap were killed in between, the child would survive.
 */
function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  // A stopped process starts no further child while its children are listed.
  sendSignal(-pid, 'SIGSTOP');
  for (const descendant of listDescendantPids(pid)) sendSignal(descendant, 'SIGKILL');
  sendSignal(-pid, 'SIGKILL');
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
