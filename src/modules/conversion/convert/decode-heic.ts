import { mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import { HEIC_HEAD_BYTES, isHugeHeic } from '../sandboxed/images/heic-size.ts';
import { rejectionError } from './conversion-errors.ts';
import { assertProgramFinished, requireProgram } from './require-program.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

const JPEG_QUALITY = 92;
const MAX_TOTAL_KILOBYTES = 1024 * 1024;
const TOO_LARGE_EXIT_CODE = 3;
/**
 * Each image has a process with limits of its own, so that one which exceeds them does not end the others. 48 million pixels
 * take 2 seconds. Below the limit without progress of the sandbox, which ends all processes.
 */
const MAX_CPU_SECONDS = 30;
/** 48 million pixels take 217 MB. Below the memory limit of the sandbox, which ends all processes. */
const MAX_ADDRESS_KILOBYTES = 440 * 1024;
const DECODE_EACH = `for file in /work/heic/*.heic; do
    (
      ulimit -t ${MAX_CPU_SECONDS}
      ulimit -v ${MAX_ADDRESS_KILOBYTES}
      exec "$0" -q ${JPEG_QUALITY} "$file" "\${file%.heic}.jpg"
    ) >/dev/null 2>&1
    rm -f "$file"
    [ "$(du -sk /work/heic | cut -f 1)" -gt ${MAX_TOTAL_KILOBYTES} ] && exit ${TOO_LARGE_EXIT_CODE}
    echo "$file"
  done
  exit 0`;

/** Decodes the images of a HEIC file and returns the folder of the JPEG files. */
export async function decodeHeic({ input, folder, limits, workload, signal }: WritePdfTask): Promise<string> {
  await rejectHugeImage(input);
  const program = await requireProgram('heif-convert', 'libheif');
  const images = path.join(folder, 'heic');
  await mkdir(images);
  const end = await runIsolatedProgram({
    command: program,
    args: ['-q', String(JPEG_QUALITY), '/in/image.heic', '/work/heic/image.jpg'],
    workFolder: folder,
    readOnlyMounts: [{ from: input, to: '/in/image.heic' }],
    limits: limits.read,
    workload,
    signal,
  });
  assertProgramFinished(end, signal);
  if ((await readdir(images)).length === 0)
    throw rejectionError(/end of file|truncated/i.test(end.stderrTail) ? 'incomplete' : 'damaged');
  return images;
}

async function rejectHugeImage(input: string): Promise<void> {
  const file = await open(input);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEIC_HEAD_BYTES), 0, HEIC_HEAD_BYTES, 0);
    if (isHugeHeic(buffer.subarray(0, bytesRead))) throw rejectionError('tooLarge');
  } finally {
    await file.close();
  }
}

/** Decodes `heic/N.heic` in the work folder to `heic/N.jpg`. A file that cannot be decoded has no JPEG. */
export async function decodeHeicPages({ folder, limits, workload, signal }: WritePdfTask): Promise<void> {
  const program = await requireProgram('heif-convert', 'libheif');
  const end = await runIsolatedProgram({
    command: '/bin/sh',
    args: ['-c', DECODE_EACH, program],
    workFolder: folder,
    // Reserves no address space for each thread.
    env: { MALLOC_ARENA_MAX: '1' },
    limits: limits.writePdf,
    workload,
    signal,
    onLine: () => {},
  });
  assertProgramFinished(end, signal);
  if (end.code === TOO_LARGE_EXIT_CODE) throw rejectionError('tooLarge');
}
