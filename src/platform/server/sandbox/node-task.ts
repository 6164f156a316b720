import { spawn } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../config.ts';
import { canIsolate, giveWayArguments, limitArguments } from './isolation.ts';
import { runIsolated, supervise } from './sandbox.ts';
import type { SandboxEnd, SandboxTask } from './task.ts';

export type NodeTask = Omit<SandboxTask, 'command' | 'args'> & {
  /** A TypeScript file of the project, from its root. */
  script: string;
  args: readonly string[];
  /** Megabytes of JavaScript heap. */
  heap: number;
};

/** Where the project's own code lies inside the walls. */
const APP = '/app';
const NODE = '/node';

/**
 * Runs code of our own on a file that is not to be trusted. Behind the walls of the sandbox where
 * they can be built; elsewhere in a process that may touch nothing but its folder.
 */
export async function runNodeTask(task: NodeTask): Promise<SandboxEnd> {
  return (await canIsolate()) ? runBehindWalls(task) : runConfined(task);
}

const nodeArguments = ({ heap, script, args }: NodeTask, root: string) => [
  `--max-old-space-size=${heap}`,
  '--no-warnings',
  path.posix.join(root, script),
  ...args,
];

const runBehindWalls = (task: NodeTask): Promise<SandboxEnd> =>
  runIsolated({
    ...task,
    command: NODE,
    args: nodeArguments(task, APP),
    reads: [
      ...(task.reads ?? []),
      { from: process.execPath, to: NODE },
      ...['src', 'node_modules', 'package.json'].map((name) => ({
        from: path.join(projectRoot, name),
        to: `${APP}/${name}`,
      })),
    ],
  });

/** Paths are the real ones here; Node refuses the process every other file and every other program. */
function runConfined(task: NodeTask): Promise<SandboxEnd> {
  const reads = [...(task.reads ?? []).map(({ from }) => from), task.workFolder];
  const code = ['src', 'node_modules', 'package.json'].map((name) => path.join(projectRoot, name));
  const child = spawn(
    'prlimit',
    [
      ...limitArguments(task),
      // Dies with us, as it would behind the walls.
      ...['--', 'setpriv', '--pdeathsig', 'KILL', '--', ...giveWayArguments(task), process.execPath],
      '--permission',
      '--allow-addons',
      ...[...reads, ...code].map((file) => `--allow-fs-read=${file}`),
      `--allow-fs-write=${task.workFolder}`,
      ...nodeArguments({ ...task, args: task.args.map((arg) => realPath(task, arg)) }, projectRoot),
    ],
    {
      cwd: task.workFolder,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: {
        PATH: '/usr/bin:/bin',
        LANG: 'C.UTF-8',
        HOME: task.workFolder,
        ...Object.fromEntries(Object.entries(task.env ?? {}).map(([name, value]) => [name, realPath(task, value)])),
      },
    },
  );
  return supervise(task, child);
}

/** Arguments name files by their place behind the walls. */
const realPath = ({ reads = [], workFolder }: NodeTask, argument: string): string =>
  [...reads, { from: workFolder, to: '/work' }].reduce(
    (text, { from, to }) => (text === to || text.startsWith(`${to}/`) ? text.replace(to, from) : text),
    argument,
  );
