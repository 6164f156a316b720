import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { programFolders } from '../config.ts';
import type { SandboxTask } from './task.ts';

/** Folders of the system that programs need to run at all; none holds anything of ours. */
const systemFolders = ['/usr'];
const optionalFolders = [
  ...['/etc/alternatives', '/etc/fonts', '/etc/ld.so.cache', '/etc/libreoffice'],
  ...['/etc/calibre', '/etc/ImageMagick-6', '/var/cache/fontconfig', '/var/lib/libreoffice'],
];
const links = [
  ['usr/bin', '/bin'],
  ['usr/sbin', '/sbin'],
  ['usr/lib', '/lib'],
  ['usr/lib64', '/lib64'],
] as const;

/** It lies in memory, where no limit of the process counts it. */
const TMP_BYTES = 512 * 1024 * 1024;

const RESERVE_CPU_SECONDS = 5;

const flat = (...parts: readonly (readonly string[])[]) => parts.flat();

export const limitArguments = ({ limits }: Pick<SandboxTask, 'limits'>): string[] => [
  '--core=0',
  '--nofile=1024',
  // The supervisor ends it before; this holds should the supervisor be held up.
  `--cpu=${Math.ceil(limits.cpuSeconds) + RESERVE_CPU_SECONDS}`,
  `--fsize=${limits.fileBytes}`,
  ...(limits.addressBytes ? [`--as=${limits.addressBytes}`] : []),
];

/**
 * The kernel shares the processors among sessions first, and each of ours is one: only what is said
 * for the whole session counts against others. It takes that ten times a second from all together.
 */
export const giveWayArguments = ({ workload: { nice } }: Pick<SandboxTask, 'workload'>): string[] => [
  ...['sh', '-c'],
  `for try in 1 2 3 4 5; do
    echo ${nice} >/proc/self/autogroup && break
    sleep 0.1
  done </dev/null >/dev/null 2>&1 &
  exec nice -n ${nice} "$0" "$@"`,
];

export const isolationArguments = ({
  workFolder,
  reads = [],
  env = {},
}: Pick<SandboxTask, 'workFolder' | 'reads' | 'env'>): string[] =>
  flat(
    ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ['--uid', '65534', '--gid', '65534', '--hostname', 'sandbox', '--clearenv'],
    ...systemFolders.map((folder) => ['--ro-bind', folder, folder]),
    ...optionalFolders.map((folder) => ['--ro-bind-try', folder, folder]),
    ...links.map(([target, link]) => ['--symlink', target, link]),
    ['--proc', '/proc', '--dev', '/dev', '--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...reads.map(({ from, to }) => ['--ro-bind', from, to]),
    ['--bind', workFolder, '/work', '--chdir', '/work'],
    ...Object.entries({ PATH: '/usr/bin:/bin', HOME: '/work', LANG: 'C.UTF-8', ...env }).map(([name, value]) => [
      '--setenv',
      name,
      value,
    ]),
  );

const KEPT_MS = 60_000;
let known: { answer: Promise<boolean>; at: number; folders: string } | undefined;

/** Whether this machine lets us build the walls; asked by trying, again each minute. */
export function canIsolate(now = Date.now()): Promise<boolean> {
  const folders = programFolders().join();
  if (!known || now - known.at > KEPT_MS || known.folders !== folders)
    known = { answer: tryIsolation(), at: now, folders };
  return known.answer;
}

async function tryIsolation(): Promise<boolean> {
  const walls = isolationArguments({ workFolder: '/tmp' });
  const child = spawn('prlimit', ['--core=0', '--', 'bwrap', ...walls, '--', '/usr/bin/true'], {
    stdio: 'ignore',
  });
  try {
    const [code] = await once(child, 'close');
    return code === 0;
  } catch {
    // No such program: then there is no sandbox.
    return false;
  }
}
