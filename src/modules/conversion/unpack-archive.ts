import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import type { SandboxLimits } from '#platform/server/sandbox/sandbox-task.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { type ArchiveEntry, type ArchiveKind, archiveEntry } from './archive-entry.contract.ts';
import { ConversionTimeout, PermanentConversionError } from './convert/conversion-errors.ts';
import { readLimits } from './convert/limits.ts';
import { runSandboxedTaskToEnd } from './convert/run-sandboxed-converter.ts';
import { readOutputFile, withOutputFile } from './convert/sandbox-output-file.ts';

const signatures: [kind: ArchiveKind, start: string][] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['libarchive', 'Rar!\x1a\x07'],
  ['libarchive', '7z\xbc\xaf\x27\x1c'],
];

/** Users see the message. */
export class ArchiveRejected extends Error {
  override name = 'ArchiveRejected';
}

type ArchiveFile = {
  /** The archive, outside of the work folder. */
  input: string;
  folder: string;
  /** Extensions of documents, without dots. */
  extensions: string[];
  maxFileBytes: number;
};

/** Unpacks the documents of a ZIP, RAR or 7z in the sandbox into the work folder, and lists all files. */
export async function unpackArchive({ input, folder, extensions, maxFileBytes }: ArchiveFile): Promise<ArchiveEntry[]> {
  const kind = await detectArchiveKind(input);
  const program = kind === 'zip' ? '' : await findArchiveProgram();
  const limits: SandboxLimits = { ...readLimits, fileBytes: maxFileBytes + 1024 * 1024 };
  const task = { task: 'unpack-archive', input, folder, options: { kind, program, extensions, maxFileBytes } } as const;
  // Only the limits of the sandbox end it, which count processor time and idleness.
  const { signal } = new AbortController();
  await runSandboxedTaskToEnd({ ...task, limits, workload: new Workload(0), signal, onEvent: () => {} }).catch(
    (error: unknown) => {
      if (error instanceof PermanentConversionError) throw new ArchiveRejected(error.message);
      if (error instanceof ConversionTimeout) throw new ArchiveRejected('压缩包过大或过于复杂，无法处理');
      throw error;
    },
  );
  const entries: unknown = JSON.parse((await readOutputFile(folder, 'entries.json')).toString('utf8'));
  return z.array(archiveEntry).parse(entries);
}

/** Passes the bytes of an unpacked document to `use`. */
export const withUnpackedFile = <T>(folder: string, index: number, use: (bytes: Readable) => Promise<T>): Promise<T> =>
  withOutputFile(folder, `e/${index}`, (file) => use(file.createReadStream({ autoClose: false })));

async function detectArchiveKind(file: string): Promise<ArchiveKind> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    const match = signatures.find(([, start]) => head.startsWith(start));
    if (!match) throw new ArchiveRejected('文件的内容不是 ZIP、RAR 或 7z 压缩包');
    return match[0];
  } finally {
    await handle.close();
  }
}

async function findArchiveProgram(): Promise<string> {
  const program = (await isSandboxAvailable()) ? await findProgram('bsdtar') : null;
  if (!program) throw new ArchiveRejected('网站没有解开 RAR 和 7z 的程序，请改用 ZIP');
  return program;
}
