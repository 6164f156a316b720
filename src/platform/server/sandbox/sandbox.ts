import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { giveWayArguments, isolationArguments, limitArguments } from './isolation.ts';
import { descendantsOf } from './process-tree.ts';
import type { SandboxEnd, SandboxTask } from './task.ts';
import { watchLimits } from './watch-limits.ts';

const MAX_ERRORS = 4_000;
/** What was written before the end is read after it. */
const LET_GO_MS = 2_000;
const MAX_LINE_BYTES = 1_000_000;

/**
 * Runs a program that is not to be trusted with its input: no network, no files but its own folder,
 * no environment, limits on everything. It and its children die with this process.
 */
export async function runIsolated(task: SandboxTask): Promise<SandboxEnd> {
  const { command, args } = task;
  return supervise(
    task,
    spawn(
      'prlimit',
      [
        ...limitArguments(task),
        '--',
        'bwrap',
        ...isolationArguments(task),
        '--',
        ...giveWayArguments(task),
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

/** Enforces the limits only the outside can see, until the program has ended with all its children. */
export async function supervise(
  task: Pick<SandboxTask, 'limits' | 'workload' | 'signal' | 'onLine' | 'control'>,
  child: ChildProcess,
): Promise<SandboxEnd> {
  const { signal, onLine, control } = task;
  const end: SandboxEnd = { code: null, killedBy: null, errors: '' };
  let letGo: NodeJS.Timeout | undefined;
  const kill = (reason: NonNullable<SandboxEnd['killedBy']>) => {
    end.killedBy ??= reason;
    killTree(child);
    // A descendant that left the process tree may hold the pipes open: the supervisor closes them.
    letGo ??= setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, LET_GO_MS);
  };
  const abort = () => kill('abort');
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const watch = watchLimits(child, task, kill);
  // A program that no longer listens says so by ending.
  child.stdin?.on('error', () => {});
  if (control) control((line) => child.stdin?.write(`${line}\n`));
  else child.stdin?.end();

  const stderr = child.stderr?.setEncoding('utf8');
  stderr?.on('data', (text: string) => {
    end.errors = (end.errors + text).slice(-MAX_ERRORS);
  });
  let problem: unknown;
  const stop = (error: unknown) => {
    problem ??= error;
    kill('abort');
  };
  // First in line: whoever splits the lines keeps all of an unfinished one.
  if (child.stdout) watchLineLength(child.stdout, stop);
  const lines = child.stdout && createInterface({ input: child.stdout });
  lines?.on('line', (line) => {
    watch.progressed();
    if (problem) return;
    try {
      onLine?.(line);
    } catch (error) {
      stop(error);
    }
  });
  try {
    const [code] = await once(child, 'close');
    end.code = code;
  } finally {
    clearTimeout(letGo);
    watch.stop();
    signal?.removeEventListener('abort', abort);
    killTree(child);
  }
  if (problem) throw problem;
  return end;
}

/** Reads no further once a line has grown too long. */
function watchLineLength(output: Readable, exceeded: (error: Error) => void): void {
  let bytes = 0;
  output.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf('\n');
    bytes = end < 0 ? bytes + chunk.length : chunk.length - end - 1;
    if (bytes <= MAX_LINE_BYTES) return;
    output.destroy();
    exceeded(new Error('the program wrote a line without end'));
  });
}

/**
 * Kills the program, its group and its descendants with a session of their own. bwrap makes its
 * child die with it only after that child has started: killed in between, it would leave the child.
 */
function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  // A stopped process starts no further child while its children are listed.
  sendSignal(-pid, 'SIGSTOP');
  for (const descendant of descendantsOf(pid)) sendSignal(descendant, 'SIGKILL');
  sendSignal(-pid, 'SIGKILL');
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
