import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

const TICKS_PER_SECOND = 100;

/** Folder in which a process runs; empty if the process has ended. */
function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** Ticks of a process and of its children that have ended. */
function readTicks(pid: string): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program before the last parenthesis may contain spaces.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}

/**
 * Processor seconds of this process and of the database whose files are below the folder. Unlike durations, they hardly
 * depend on the load of the machine.
 */
export function processorSeconds(folder: string): number {
  const prefix = path.resolve(folder);
  const databaseTicks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && workingFolder(name).startsWith(prefix))
    .reduce((sum, pid) => sum + readTicks(pid), 0);
  const { user, system } = process.cpuUsage();
  return databaseTicks / TICKS_PER_SECOND + (user + system) / 1e6;
}
