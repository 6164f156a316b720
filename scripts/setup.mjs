// Set-up for `npm start`, `npm test` and `npm run douku`: packages, Node 24 and the built pages. Runs on the host's Node
// (20 or later) before any package is installed. Writes messages to standard error only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { compressAssets } from './compress-assets.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => path.join(root, ...parts);

const NEEDED_DISK_GB = 2;
const NEEDED_MEMORY_GB = 1;
const PROGRESS_INTERVAL_MS = 15_000;

/** An error whose message is printed to the user as one line, without a stack. */
export class SetupError extends Error {}

/**
 * Installs the npm packages if they differ from package-lock.json. With `dev: false` development packages may be missing,
 * as in the container image.
 */
export function ensureNodeModules({ dev = true } = {}) {
  if (areModulesCurrent(dev)) return;
  console.error('正在安装 npm 依赖包，首次需要几分钟');
  console.error(requiredSpaceMessage());
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...args] = [...npm, 'ci', '--include=dev', '--include=optional', '--loglevel=error'];
  const result = withProgressMessages('仍在安装 npm 依赖包', () =>
    spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] }),
  );
  if (result.status !== 0) throw new SetupError('npm 依赖包没有装好，请检查网络后重试，原因见上方 npm 的输出');
}

const inGigabytes = (bytes) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

/** Required and available disk space and memory. */
function requiredSpaceMessage() {
  const { bavail, bsize } = statfsSync(root);
  return `约需 ${NEEDED_DISK_GB} GB 磁盘、${NEEDED_MEMORY_GB} GB 以上内存；本机磁盘剩余 ${inGigabytes(bavail * bsize)}，内存共 ${inGigabytes(os.totalmem())}`;
}

/** Prints a message every 15 seconds while `work` runs. Uses a thread, because `work` blocks this one. */
function withProgressMessages(message, work) {
  const threadCode = `
    const { writeSync } = require('node:fs');
    const startedAt = Date.now();
    const printProgress = () => {
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      writeSync(2, ${JSON.stringify(message)} + '，已用 ' + seconds + ' 秒\\n');
    };
    setInterval(printProgress, ${PROGRESS_INTERVAL_MS});`;
  const thread = new Worker(threadCode, { eval: true });
  try {
    return work();
  } finally {
    thread.terminate();
  }
}

/** npm writes node_modules/.package-lock.json last, so the file is missing after an interrupted installation. */
function areModulesCurrent(dev) {
  const requiredPackages = readLock(at('package-lock.json'));
  const installedPackages = readLock(at('node_modules/.package-lock.json'));
  const matchesThisMachine = ({ os = [], cpu = [] }) => os.includes(process.platform) && cpu.includes(process.arch);
  // The root entry has the dependencies of package.json.
  const optionalDependencies = Object.keys(requiredPackages['']?.optionalDependencies ?? {});
  const isLockNewer = modifiedAt(at('package-lock.json')) > modifiedAt(at('node_modules/.package-lock.json'));
  /** True for a new optional dependency for all machines. Its installation is tried once. */
  const isUntried = (folder, { os: systems, cpu: processors }) =>
    isLockNewer &&
    optionalDependencies.some((name) => folder === `node_modules/${name}`) &&
    (systems?.includes(process.platform) ?? true) &&
    (processors?.includes(process.arch) ?? true);
  return Object.entries(requiredPackages).every(([folder, entry]) => {
    const { version, optional, link, libc } = entry;
    if (folder === '' || link) return true;
    if (!dev && (entry.dev || entry.devOptional)) return true;
    // A missing optional package is fine if it is built for other machines.
    if (installedPackages[folder] === undefined)
      return Boolean(optional) && !isUntried(folder, entry) && (!matchesThisMachine(entry) || Boolean(libc));
    return installedPackages[folder].version === version;
  });
}

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function readLock(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** Path of the Node 24 that runs the server. It is installed as an npm package. */
export function node24Path() {
  const pinnedNode = at(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(pinnedNode)) return pinnedNode;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new SetupError(`没有适合本机（${process.platform}-${process.arch}）的 Node 24，请自行安装 Node 24 后重试`);
}

/** Environment with Node 24 and the tools of the project first in PATH. */
export function toolEnvironment(extra = {}) {
  const folders = [path.dirname(node24Path()), at('node_modules/.bin'), process.env.PATH];
  return { ...process.env, ...extra, PATH: folders.filter(Boolean).join(path.delimiter) };
}

const buildInputs = ['src', 'public', 'vite.config.ts', 'react-router.config.ts', 'package-lock.json'];
const buildStamp = at('build/.inputs');

/** Whether the pages were built from the present sources. */
function isBuildCurrent() {
  return existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === hashInputs();
}

/** Builds the pages if their sources changed. The stamp is written last, so an interrupted build is repeated. */
export function ensureBuild() {
  if (isBuildCurrent()) return;
  console.error('正在构建页面');
  const hash = hashInputs();
  rmSync(buildStamp, { force: true });
  const env = toolEnvironment({ NODE_ENV: 'production' });
  const result = withProgressMessages('仍在构建页面', () =>
    spawnSync('react-router', ['build'], { cwd: root, env, encoding: 'utf8' }),
  );
  if (result.status !== 0) {
    console.error(`${result.stdout}${result.stderr}`);
    throw new SetupError('页面构建失败，原因见上方输出');
  }
  compressAssets(at('build/client'));
  writeFileSync(buildStamp, hash);
}

function hashInputs() {
  const hash = createHash('sha256');
  for (const input of buildInputs) {
    for (const file of listSourceFiles(input)) {
      hash
        .update(`${file}\0`)
        .update(readFileSync(at(file)))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/** Source files in a stable order, without tests. */
function listSourceFiles(input) {
  if (!existsSync(at(input))) return [];
  if (!statSync(at(input)).isDirectory()) return [input];
  return readdirSync(at(input), { withFileTypes: true })
    .filter(({ name }) => !/\.test\.tsx?$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(input, entry.name);
      return entry.isDirectory() ? listSourceFiles(file) : [file];
    });
}
