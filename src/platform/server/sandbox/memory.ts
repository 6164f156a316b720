import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const PERIOD_MS = 200;
const PAGE_BYTES = 4096;

/** Calls `exceeded` once when the process and its children together hold more than `limit`. */
export function watchMemory(
  { pid }: ChildProcess,
  limit: number,
  exceeded: () => void,
): () => void {
  if (pid === undefined) return () => {};
  let isMeasuring = false;
  const timer = setInterval(async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    const bytes = await residentBytes(pid);
    isMeasuring = false;
    if (bytes <= limit) return;
    clearInterval(timer);
    exceeded();
  }, PERIOD_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resident memory of a process and everything below it; what ended meanwhile counts nothing. */
async function residentBytes(pid: number): Promise<number> {
  const [own, children] = await Promise.all([
    readText(`/proc/${pid}/statm`),
    readText(`/proc/${pid}/task/${pid}/children`),
  ]);
  const below = children.split(' ').filter(Boolean).map(Number);
  const parts = await Promise.all(below.map(residentBytes));
  const pages = Number(own.split(' ')[1] ?? 0);
  return parts.reduce((sum, part) => sum + part, pages * PAGE_BYTES);
}

const readText = (file: string) =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
