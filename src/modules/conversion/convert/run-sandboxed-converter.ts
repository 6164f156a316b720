import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNodeScriptIsolated } from '#platform/server/sandbox/run-node-script-isolated.ts';
import type { SandboxLimits, SandboxResult } from '#platform/server/sandbox/sandbox-task.ts';
import type { Workload } from '#platform/server/sandbox/workload.ts';
import { FANDOL_FOLDER, FONT_FOLDER } from '../font-folders.ts';
import { type ConverterEvent, converterEvent } from '../sandboxed/events.ts';
import { rejectionError } from './conversion-errors.ts';
import { assertProgramFinished } from './require-program.ts';
import { rejectLinkedInput } from './sandbox-output-file.ts';

const SCRIPT = 'src/modules/conversion/sandboxed/main.ts';
const MAX_HEAP_MB = 384;
/** Maps the font names of Chinese documents to installed fonts; see fonts.conf. */
const FONT_CONFIG = { from: fileURLToPath(new URL('../fonts.conf', import.meta.url)), to: '/fonts.conf' };

/** The folders of installed fonts. Looked up for each program, because fonts can be installed while the site runs. */
export const fontSandboxOptions = (folders: readonly string[] = [FONT_FOLDER, FANDOL_FOLDER]) => ({
  reads: [
    FONT_CONFIG,
    ...folders.filter((folder) => existsSync(folder)).map((folder) => ({ from: folder, to: folder })),
  ],
  env: { FONTCONFIG_FILE: FONT_CONFIG.to },
});

export type SandboxedTask = {
  task:
    | 'pdf'
    | 'hi-res'
    | 'ocr'
    | 'find-scanned-pages'
    | 'images'
    | 'comic'
    | 'djvu'
    | 'ofd'
    | 'flow'
    | 'sheet'
    | 'sheet-pictures'
    | 'sheet-slides'
    | 'remove-deleted-rows'
    | 'accept-changes'
    | 'clean-wordml'
    | 'unpack-flat-opc'
    | 'unpack-archive'
    | 'decrypt';
  /** Path of a file, or the name within the folder of a file that is written later. */
  input: string | { pendingFile: string };
  folder: string;
  options: Record<string, unknown>;
  limits: SandboxLimits;
  workload: Workload;
  signal: AbortSignal;
  onEvent(event: ConverterEvent): void;
  connectStdin?: (send: (line: string) => void) => void;
};

/** Runs the sandboxed converter on a file. Throws if it rejects the file; otherwise returns how the process ended. */
export async function runSandboxedConverter(task: SandboxedTask): Promise<SandboxResult & { isDone: boolean }> {
  let isDone = false;
  let rejection: ReturnType<typeof rejectionError> | null = null;
  const { input } = task;
  const file = typeof input === 'string' ? '/in' : `/work/${input.pendingFile}`;
  if (typeof input === 'string') await rejectLinkedInput(task.folder, input);
  const fonts = fontSandboxOptions();
  const end = await runNodeScriptIsolated({
    script: SCRIPT,
    args: [task.task, file, '/work', JSON.stringify(task.options)],
    heapMegabytes: MAX_HEAP_MB,
    workFolder: task.folder,
    readOnlyMounts: [...(typeof input === 'string' ? [{ from: input, to: '/in' }] : []), ...fonts.reads],
    env: {
      ...fonts.env,
      UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())),
      // Encoders allocate in many threads; one arena for each would double the memory.
      MALLOC_ARENA_MAX: '1',
      // Returns the memory of an image to the system immediately.
      MALLOC_MMAP_THRESHOLD_: '4194304',
      MALLOC_TRIM_THRESHOLD_: '16777216',
    },
    limits: task.limits,
    workload: task.workload,
    signal: task.signal,
    ...(task.connectStdin && { connectStdin: task.connectStdin }),
    onLine(line) {
      const event = converterEvent.parse(JSON.parse(line));
      if (event.type === 'done') isDone = true;
      else if (event.type === 'rejected') rejection = rejectionError(event.reason);
      else task.onEvent(event);
    },
  });
  if (rejection) throw rejection;
  return { ...end, isDone };
}

/** Throws when the task ends early. */
export async function runSandboxedTaskToEnd(task: SandboxedTask): Promise<void> {
  const end = await runSandboxedConverter(task);
  assertProgramFinished(end, task.signal);
  if (!end.isDone) throw new Error(`${task.task} ended with ${end.code}: ${end.stderrTail.slice(-500)}`);
}

/** Path of an output file. Open it only with `withOutputFile`. */
export const workFile = (folder: string, ...names: string[]) => path.join(folder, ...names);
