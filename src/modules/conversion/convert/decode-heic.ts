import { mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import { rejectionError } from './conversion-errors.ts';
import { assertProgramFinished, requireProgram } from './require-program.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

const MAX_PIXELS = 100_000_000;
/** The properties of the images precede their data. */
const HEAD_BYTES = 256 * 1024;
const JPEG_QUALITY = 92;

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

/** The program decodes an image of any declared size. */
async function rejectHugeImage(input: string): Promise<void> {
  const file = await open(input);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4))
      if (head.readUInt32BE(at + 8) * head.readUInt32BE(at + 12) > MAX_PIXELS) throw rejectionError('tooLarge');
  } finally {
    await file.close();
  }
}
