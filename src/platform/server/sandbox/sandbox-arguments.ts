import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { executableSearchPath } from '../config.ts';
import type { SandboxTask } from './sandbox-task.ts';

/** System folders that programs need; none contains data of the site. */
const SYSTEM_FOLDERS = ['/usr'];
const OPTIONAL_FOLDERS = [
  ...['/etc/alternatives', '/etc/fonts', '/etc/ld.so.cache', '/etc/libreoffice'],
  ...['/etc/calibre', '/etc/ImageMagick-6', '/var/cache/fontconfig', '/var/lib/libreoffice'],
];
const SYMLINKS = [
  ['usr/bin', '/bin'],
  ['usr/sbin', '/sbin'],
  ['usr/lib', '/lib'],
  ['usr/lib64', '/lib64'],
] as const;

/** /tmp is in memory and not counted by the memory limit of the process. */
const TMP_BYTES = 512 * 1024 * 1024;

const CPU_LIMIT_RESERVE_SECONDS = 5;

const concat = (...parts: readonly (readonly string[])[]) => parts.flat();

export const prlimitArguments = ({ limits }: Pick<SandboxTask, 'limits'>): string[] => [
  '--core=0',
  '--nofile=1024',
  // The supervisor kills the program earlier; this limit applies if the supervisor is delayed.
  `--cpu=${Math.ceil(limits.cpuSeconds) + CPU_LIMIT_RESERVE_SECONDS}`,
  `--fsize=${limits.fileBytes}`,
  ...(limits.addressBytes ? [`--as=${limits.addressBytes}`] : []),
];

/**
 * The kernel shares processors between sessions (autogroups) first, and each program is a session: only the nice value of
 * the session matters to other programs. The kernel accepts at most ten such changes per second on the whole machine.
 */
export const niceArguments = ({ workload: { nice } }: Pick<SandboxTask, 'workload'>): string[] => [
  ...['sh', '-c'],
  `for try in 1 2 3 4 5; do
    echo ${nice} >/proc/self/autogroup && break
    sleep 0.1
  done </dev/null >/dev/null 2>&1 &
  exec nice -n ${nice} "$0" "$@"`,
];

export const bwrapArguments = ({
  workFolder,
  readOnlyMounts = [],
  env = {},
}: Pick<SandboxTask, 'workFolder' | 'readOnlyMounts' | 'env'>): string[] =>
  concat(
    ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ['--uid', '65534', '--gid', '65534', '--hostname', 'sandbox', '--clearenv'],
    ...SYSTEM_FOLDERS.map((folder) => ['--ro-bind', folder, folder]),
    ...OPTIONAL_FOLDERS.map((folder) => ['--ro-bind-try', folder, folder]),
    ...SYMLINKS.map(([target, link]) => ['--symlink', target, link]),
    ['--proc', '/proc', '--dev', '/dev', '--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...readOnlyMounts.map(({ from, to }) => ['--ro-bind', from, to]),
    ['--bind', workFolder, '/work', '--chdir', '/work'],
    ...Object.entries({ PATH: '/usr/bin:/bin', HOME: '/work', LANG: 'C.UTF-8', ...env }).map(([name, value]) => [
      '--setenv',
      name,
      value,
    ]),
  );

const CACHE_TTL_MS = 60_000;
let cachedResult: { isAvailable: Promise<boolean>; at: number; searchPath: string } | undefined;

/** Tries to create a sandbox. The result is cached for a minute. */
export function isSandboxAvailable(now = Date.now()): Promise<boolean> {
  const searchPath = executableSearchPath().join();
  if (!cachedResult || now - cachedResult.at > CACHE_TTL_MS || cachedResult.searchPath !== searchPath)
    cachedResult = { isAvailable: tryIsolation(), at: now, searchPath };
  return cachedResult.isAvailable;
}

async function tryIsolation(): Promise<boolean> {
  const sandboxArguments = bwrapArguments({ workFolder: '/tmp' });
  const child = spawn('prlimit', ['--core=0', '--', 'bwrap', ...sandboxArguments, '--', '/usr/bin/true'], {
    stdio: 'ignore',
  });
  try {
    const [code] = await once(child, 'close');
    return code === 0;
  } catch {
    // prlimit is not installed.
    return false;
  }
}
