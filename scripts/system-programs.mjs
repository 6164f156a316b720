// Programs of the operating system: which are there, and how the missing ones are installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ name: string, package: string, fallbackPackage?: string, commands?: string[], files?: string[],
 *   use: 'runtime' | 'tests', required: boolean, purpose: string }} Program
 */

/** @param {Program['use']} use @returns {Program[]} */
export function programsFor(use) {
  const table = JSON.parse(readFileSync(new URL('programs.json', import.meta.url), 'utf8'));
  return table.filter((program) => program.use === use);
}

/** @param {Program} program */
function isInstalled({ commands = [], files = [] }) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return (
    files.some((file) => existsSync(file)) ||
    commands.some((command) => folders.some((folder) => existsSync(path.join(folder, command))))
  );
}

/**
 * Installs what is missing where that is allowed; otherwise one line says what will not work.
 * @param {Program[]} programs @returns {Program[]} what is still missing
 */
export function ensureSystemPrograms(programs) {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return [];
  const installer = aptCommand();
  if (installer) {
    install(
      installer,
      missing.map((program) => program.package),
    );
    // Another package that does as well, where the first is not known.
    const others = missing.filter((program) => program.fallbackPackage && !isInstalled(program));
    if (others.length > 0)
      install(
        installer,
        others.map((program) => program.fallbackPackage),
      );
  }
  const absent = programs.filter((program) => !isInstalled(program));
  for (const { name, package: debian, purpose } of absent)
    console.error(
      `缺少 ${name}，${purpose}无法进行；请由管理员运行：apt-get install -y --no-install-recommends ${debian}`,
    );
  return absent;
}

function install(installer, packages) {
  console.error(`正在安装系统程序：${packages.join(' ')}`);
  if (apt(installer, ['install', ...packages])) return;
  apt(installer, ['update']);
  apt(installer, ['install', ...packages]);
}

/** How apt-get can be run without asking anybody, or null. */
function aptCommand() {
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return null;
  if (process.getuid?.() === 0) return ['apt-get'];
  const isAllowed = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return isAllowed ? ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'] : null;
}

function apt([command, ...prefix], args) {
  const options = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // What apt says belongs beside our own messages, never into the output of a command.
  const done = spawnSync(command, [...prefix, ...options, ...args], { env, stdio: [0, 2, 2] });
  return done.status === 0;
}
