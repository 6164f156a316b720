// Detects the required programs of the operating system and installs missing ones with apt-get.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ name: string, package: string, fallbackPackage?: string, commands?: string[], files?: string[],
 *   use: 'runtime' | 'optional' | 'tests', required: boolean, purpose: string }} Program
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
 * Installs missing programs if apt-get may be used; otherwise prints one line per missing feature.
 * @param {Program[]} programs @returns {Program[]} the programs that are still missing
 */
export function ensureSystemPrograms(programs) {
  const missingPrograms = programs.filter((program) => !isInstalled(program));
  if (missingPrograms.length === 0) return [];
  const installer = aptCommand();
  if (installer) {
    install(
      installer,
      missingPrograms.map((program) => program.package),
    );
    // For releases of Debian that do not have the first package.
    const fallbackPrograms = missingPrograms.filter((program) => program.fallbackPackage && !isInstalled(program));
    if (fallbackPrograms.length > 0)
      install(
        installer,
        fallbackPrograms.map((program) => program.fallbackPackage),
      );
  }
  const stillMissing = programs.filter((program) => !isInstalled(program));
  for (const { name, package: debian, purpose } of stillMissing)
    console.error(
      `缺少 ${name}，${purpose}无法进行；请由管理员运行：apt-get install -y --no-install-recommends ${debian}`,
    );
  return stillMissing;
}

function install(installer, packages) {
  console.error(`正在安装系统程序：${packages.join(' ')}`);
  if (runApt(installer, ['install', ...packages])) return;
  runApt(installer, ['update']);
  runApt(installer, ['install', ...packages]);
}

/** Command that runs apt-get without a password prompt, or null. */
function aptCommand() {
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return null;
  if (process.getuid?.() === 0) return ['apt-get'];
  const isAllowed = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return isAllowed ? ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'] : null;
}

function runApt([command, ...prefix], args) {
  const options = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // To standard error, so that the output of `douku` commands stays clean.
  const result = spawnSync(command, [...prefix, ...options, ...args], { env, stdio: [0, 2, 2] });
  return result.status === 0;
}
