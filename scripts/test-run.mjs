// What one run of the tests starts and writes, so that nothing of it stays: a temporary folder of its
// own, and the processes that have this folder in their environment, command line or working folder.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long processes may take to end by themselves, and after a signal. */
const GRACE_MS = 5_000;
const POLL_MS = 50;
/** The unit of processor time in /proc; Linux reports it as 1/100 s on every platform. */
const TICKS_PER_SECOND = 100;
/** Tests write into it the processor time of programs that no process waits for, one number a line. */
const UNCOUNTED_SECONDS = 'uncounted-seconds';

/** Begins a run: child processes find `folder` as their TMPDIR. An interruption ends all of them. */
export function beginTestRun() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'douku-test-run-'));
  // Programs that tests start as another user must reach their folders in it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.env.UNCOUNTED_SECONDS_FILE = path.join(folder, UNCOUNTED_SECONDS);
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, async () => {
      if (isInterrupted) return;
      isInterrupted = true;
      await endTestRun(folder, { isInterrupted });
      process.exit(128 + os.constants.signals[signal]);
    });
  return folder;
}

/** Ends what is still running and removes the folder. Returns the commands that were still running. */
export async function endTestRun(folder, { isInterrupted = false } = {}) {
  if (!isInterrupted) await untilEnded(folder);
  const commands = processesOf(folder).map(({ command }) => command);
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    kill(folder, signal);
    await untilEnded(folder);
  }
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const target = line.split(' ')[1] ?? '';
    if (target.startsWith(`${folder}/`)) spawnSync('umount', ['--lazy', target]);
  }
  rmSync(folder, { recursive: true, force: true });
  return commands;
}

async function untilEnded(folder) {
  const deadline = Date.now() + GRACE_MS;
  while (processesOf(folder).length > 0 && Date.now() < deadline) await sleep(POLL_MS);
}

function kill(folder, signal) {
  for (const { pid } of processesOf(folder))
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
}

function processesOf(folder) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const pid = Number(name);
    if (pid === process.pid) return [];
    const environment = readProcess(() => readFileSync(`/proc/${pid}/environ`, 'utf8')).split('\0');
    const command = readProcess(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    const workingFolder = readProcess(() => readlinkSync(`/proc/${pid}/cwd`));
    // Some are started with an empty environment, as the embedded PostgreSQL is.
    const isOfRun =
      environment.includes(`TMPDIR=${folder}`) ||
      command.includes(`${folder}/`) ||
      `${workingFolder}/`.startsWith(`${folder}/`);
    // A process that has ended and waits for its parent has no command line.
    return isOfRun && command ? [{ pid, command: command.replaceAll('\0', ' ').trim() }] : [];
  });
}

/** Empty when the process has ended or belongs to another user. */
function readProcess(read) {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return '';
    throw error;
  }
}

/** Seconds of processor time of a run: what the system counts, and what tests report besides. */
export function processorSeconds(folder) {
  return countedSeconds() + uncountedSeconds(folder);
}

function uncountedSeconds(folder) {
  const file = path.join(folder, UNCOUNTED_SECONDS);
  if (!existsSync(file)) return 0;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.reduce((sum, line) => sum + Number(line), 0);
}

/** Of this process and of all that it and its children have waited for. */
function countedSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime, stime, cutime and cstime: fields 14 to 17 of proc(5); `fields` begins with the third.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}
