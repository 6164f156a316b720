// Gives a test run a temporary folder, and ends the processes of the run: those that have this folder in their
// environment, command line or working folder.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time in which processes may end by themselves, and after a signal. */
const GRACE_PERIOD_MS = 5_000;
const POLL_MS = 50;
/** Unit of processor time in /proc: Linux reports 1/100 s on every platform. */
const TICKS_PER_SECOND = 100;
/** File in which tests write the processor time of programs that no process waits for, one number per line. */
const UNCOUNTED_SECONDS_FILE_NAME = 'uncounted-seconds';

/** Creates the folder of a run and sets it as TMPDIR of child processes. A signal ends all of them. */
export function beginTestRun() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'douku-test-run-'));
  // Tests start some programs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.env.UNCOUNTED_SECONDS_FILE = path.join(folder, UNCOUNTED_SECONDS_FILE_NAME);
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

/** Ends the remaining processes and removes the folder. Returns the commands of these processes. */
export async function endTestRun(folder, { isInterrupted = false } = {}) {
  if (!isInterrupted) await waitForProcesses(folder);
  const commands = findRunProcesses(folder).map(({ command }) => command);
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    signalProcesses(folder, signal);
    await waitForProcesses(folder);
  }
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const target = line.split(' ')[1] ?? '';
    if (target.startsWith(`${folder}/`)) spawnSync('umount', ['--lazy', target]);
  }
  rmSync(folder, { recursive: true, force: true });
  return commands;
}

async function waitForProcesses(folder) {
  const deadline = Date.now() + GRACE_PERIOD_MS;
  while (findRunProcesses(folder).length > 0 && Date.now() < deadline) await sleep(POLL_MS);
}

function signalProcesses(folder, signal) {
  for (const { pid } of findRunProcesses(folder))
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
}

function findRunProcesses(folder) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const pid = Number(name);
    if (pid === process.pid) return [];
    const environment = readProcess(() => readFileSync(`/proc/${pid}/environ`, 'utf8')).split('\0');
    const command = readProcess(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    const workingFolder = readProcess(() => readlinkSync(`/proc/${pid}/cwd`));
    // Some processes, such as the embedded PostgreSQL, have an empty environment.
    const belongsToRun =
      environment.includes(`TMPDIR=${folder}`) ||
      command.includes(`${folder}/`) ||
      `${workingFolder}/`.startsWith(`${folder}/`);
    // A zombie process has no command line.
    return belongsToRun && command ? [{ pid, command: command.replaceAll('\0', ' ').trim() }] : [];
  });
}

/** Returns '' if the process has ended or belongs to another user. */
function readProcess(read) {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return '';
    throw error;
  }
}

/** Processor time of a run in seconds: the time that the system counts plus the time that tests report. */
export function processorSeconds(folder) {
  return waitedProcessSeconds() + uncountedSeconds(folder);
}

function uncountedSeconds(folder) {
  const file = path.join(folder, UNCOUNTED_SECONDS_FILE_NAME);
  if (!existsSync(file)) return 0;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.reduce((sum, line) => sum + Number(line), 0);
}

/** Processor time of this process and of all descendants that were waited for. */
function waitedProcessSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime, stime, cutime and cstime: fields 14 to 17 of proc(5); `fields` begins with the third.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}

/** Processor seconds of a fixed computation: they tell how fast a shared machine is at the moment. */
export function referenceSeconds() {
  const before = process.cpuUsage();
  let value = 1;
  for (let step = 0; step < 400_000_000; step++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  // Uses the result, so that the compiler cannot remove the loop.
  if (value === 0) throw new Error('the fixed computation has a wrong result');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
