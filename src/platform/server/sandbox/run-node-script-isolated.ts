import { spawn } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../config.ts';
import { runIsolatedProgram, superviseProgram } from './run-isolated-program.ts';
import { isSandboxAvailable, niceArguments, prlimitArguments } from './sandbox-arguments.ts';
import type { SandboxResult, SandboxTask } from './sandbox-task.ts';

export type NodeTask = Omit<SandboxTask, 'command' | 'args'> & {
  /** A TypeScript file, relative to the root of the project. */
  script: string;
  args: readonly string[];
  heapMegabytes: number;
};

/** Paths inside the sandbox. */
const APP_FOLDER = '/app';
const NODE_PROGRAM = '/node';

/**
 * Runs a script of this project on an untrusted file. Uses the sandbox where it is available, otherwise the permission
 * model of Node, which limits the process to its folder.
 */
export async function runNodeScriptIsolated(task: NodeTask): Promise<SandboxResult> {
  return (await isSandboxAvailable()) ? runInSandbox(task) : runWithNodePermissions(task);
}

const nodeArguments = ({ heapMegabytes, script, args }: NodeTask, root: string) => [
  `--max-old-space-size=${heapMegabytes}`,
  '--no-warnings',
  path.posix.join(root, script),
  ...args,
];

const runInSandbox = (task: NodeTask): Promise<SandboxResult> =>
  runIsolatedProgram({
    ...task,
    command: NODE_PROGRAM,
    args: nodeArguments(task, APP_FOLDER),
    readOnlyMounts: [
      ...(task.readOnlyMounts ?? []),
      { from: process.execPath, to: NODE_PROGRAM },
      ...['src', 'node_modules', 'package.json'].map((name) => ({
        from: path.join(projectRoot, name),
        to: `${APP_FOLDER}/${name}`,
      })),
    ],
  });

/** Paths are not mapped here. Node denies the process access to other files and programs. */
function runWithNodePermissions(task: NodeTask): Promise<SandboxResult> {
  const readablePaths = [...(task.readOnlyMounts ?? []).map(({ from }) => from), task.workFolder];
  const code = ['src', 'node_modules', 'package.json'].map((name) => path.join(projectRoot, name));
  const child = spawn(
    'prlimit',
    [
      ...prlimitArguments(task),
      // The kernel kills the process when this process dies, as bwrap does.
      ...['--', 'setpriv', '--pdeathsig', 'KILL', '--', ...niceArguments(task), process.execPath],
      '--permission',
      '--allow-addons',
      ...[...readablePaths, ...code].map((file) => `--allow-fs-read=${file}`),
      `--allow-fs-write=${task.workFolder}`,
      ...nodeArguments({ ...task, args: task.args.map((arg) => toRealPath(task, arg)) }, projectRoot),
    ],
    {
      cwd: task.workFolder,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: {
        PATH: '/usr/bin:/bin',
        LANG: 'C.UTF-8',
        HOME: task.workFolder,
        ...Object.fromEntries(Object.entries(task.env ?? {}).map(([name, value]) => [name, toRealPath(task, value)])),
      },
    },
  );
  return superviseProgram(task, child);
}

/** Maps a path inside the sandbox to the real path. */
const toRealPath = ({ readOnlyMounts = [], workFolder }: NodeTask, argument: string): string =>
  [...readOnlyMounts, { from: workFolder, to: '/work' }].reduce(
    (text, { from, to }) => (text === to || text.startsWith(`${to}/`) ? text.replace(to, from) : text),
    argument,
  );
