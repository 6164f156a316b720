import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { runIsolated } from '#platform/server/sandbox/sandbox.ts';
import type { SandboxEnd } from '#platform/server/sandbox/task.ts';
import { Hopeless, OutOfTime, ProgramMissing } from './failures.ts';
import { type Lane, niceness, readLimits } from './lane.ts';

type UnpackTask = { input: string; folder: string; lane: Lane; signal: AbortSignal };

async function requireProgram(command: string, name: string): Promise<string> {
  if (!(await canIsolate())) throw new ProgramMissing('沙箱 bubblewrap');
  const program = await findProgram(command);
  if (!program) throw new ProgramMissing(name);
  return program;
}

function refuseUnfinished(end: SandboxEnd, signal: AbortSignal): void {
  if (end.killedBy === 'abort') throw signal.reason;
  if (end.killedBy === 'memory') throw new Hopeless('文档过大或过于复杂，无法转换');
  if (end.killedBy === 'time' || end.code === null || end.code > 128) throw new OutOfTime();
}

/** MOBI becomes EPUB; returns its path. */
export async function mobiToEpub({ input, folder, lane, signal }: UnpackTask): Promise<string> {
  const program = await requireProgram('ebook-convert', 'calibre');
  const end = await runIsolated({
    command: program,
    args: ['/in/book.mobi', '/work/book.epub', '--no-default-epub-cover'],
    workFolder: folder,
    reads: [{ from: input, to: '/in/book.mobi' }],
    env: {
      QT_QPA_PLATFORM: 'offscreen',
      QTWEBENGINE_DISABLE_SANDBOX: '1',
      CALIBRE_CONFIG_DIRECTORY: '/tmp/calibre',
      CALIBRE_TEMP_DIR: '/tmp',
    },
    limits: readLimits(lane),
    nice: niceness(lane),
    signal,
  });
  const file = path.join(folder, 'book.epub');
  const isThere = await stat(file).then(
    ({ size }) => size > 0,
    () => false,
  );
  if (isThere && end.killedBy === null) return file;
  refuseUnfinished(end, signal);
  throw new Hopeless(
    /DRM/.test(end.errors) ? '电子书受版权保护，无法打开' : '文档已损坏，无法打开',
  );
}

/** CHM becomes a folder of pages; returns its path. The program says 0 even when nothing came out. */
export async function unpackChm({ input, folder, lane, signal }: UnpackTask): Promise<string> {
  const program = await requireProgram('7z', '7z');
  const end = await runIsolated({
    command: program,
    args: ['x', '-y', '-bd', '-o/work/book', '/in/book.chm'],
    workFolder: folder,
    reads: [{ from: input, to: '/in/book.chm' }],
    limits: readLimits(lane),
    nice: niceness(lane),
    signal,
  });
  refuseUnfinished(end, signal);
  const book = path.join(folder, 'book');
  const names = await readdir(book).catch(() => []);
  if (names.length === 0) throw new Hopeless('文档已损坏，无法打开');
  return book;
}
