import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNodeTask } from '#platform/server/sandbox/node-task.ts';
import type { SandboxEnd, SandboxLimits } from '#platform/server/sandbox/task.ts';
import type { Workload } from '#platform/server/sandbox/workload.ts';
import { type ConverterEvent, converterEvent } from '../sandboxed/events.ts';
import { toConversionError } from './conversion-errors.ts';
import { checkInput } from './output-file.ts';
import { assertProgramFinished } from './require-program.ts';

const SCRIPT = 'src/modules/conversion/sandboxed/main.ts';
const HEAP_MB = 384;
/** Chinese fonts under the names documents ask for; see fonts.conf. */
export const fonts = {
  reads: [{ from: fileURLToPath(new URL('../fonts.conf', import.meta.url)), to: '/fonts.conf' }],
  env: { FONTCONFIG_FILE: '/fonts.conf' },
};

export type SandboxedTask = {
  task: 'pdf' | 'sharp' | 'flow' | 'sheet' | 'remove-deleted-rows' | 'accept-changes' | 'decrypt';
  /** A file; or one that is still to come, by its name within the folder. */
  input: string | { coming: string };
  folder: string;
  options: Record<string, unknown>;
  limits: SandboxLimits;
  workload: Workload;
  signal: AbortSignal;
  onEvent(event: ConverterEvent): void;
  control?: (send: (line: string) => void) => void;
};

/** Runs the workshop on a file. Says how it ended; a file it refuses is hopeless. */
export async function runSandboxed(task: SandboxedTask): Promise<SandboxEnd & { isDone: boolean }> {
  let isDone = false;
  let refusal: ReturnType<typeof toConversionError> | null = null;
  const { input } = task;
  const file = typeof input === 'string' ? '/in' : `/work/${input.coming}`;
  if (typeof input === 'string') await checkInput(task.folder, input);
  const end = await runNodeTask({
    script: SCRIPT,
    args: [task.task, file, '/work', JSON.stringify(task.options)],
    heap: HEAP_MB,
    workFolder: task.folder,
    reads: [...(typeof input === 'string' ? [{ from: input, to: '/in' }] : []), ...fonts.reads],
    env: {
      ...fonts.env,
      UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())),
      // Encoders allocate in many threads; with a heap for each, half of the memory lies idle.
      MALLOC_ARENA_MAX: '1',
      // What a picture took goes back at once.
      MALLOC_MMAP_THRESHOLD_: '4194304',
      MALLOC_TRIM_THRESHOLD_: '16777216',
    },
    limits: task.limits,
    workload: task.workload,
    signal: task.signal,
    ...(task.control && { control: task.control }),
    onLine(line) {
      const event = converterEvent.parse(JSON.parse(line));
      if (event.type === 'done') isDone = true;
      else if (event.type === 'refused') refusal = toConversionError(event.refusal);
      else task.onEvent(event);
    },
  });
  if (refusal) throw refusal;
  return { ...end, isDone };
}

/** Runs a task to its end; throws when it ends early. */
export async function completeTask(task: SandboxedTask): Promise<void> {
  const end = await runSandboxed(task);
  assertProgramFinished(end, task.signal);
  if (!end.isDone) throw new Error(`${task.task} ended with ${end.code}: ${end.errors.slice(-500)}`);
}

/** Where the workshop leaves a file. What lies there is opened by `withMade` alone. */
export const workFile = (folder: string, ...names: string[]) => path.join(folder, ...names);
