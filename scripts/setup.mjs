// What `npm start`, `npm test` and `npm run douku` need first. Runs on the host's Node (20 or later)
// with no package installed yet. Everything it says goes to standard error.
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

const NEEDED_DISK_GB = 1.5;
const NEEDED_MEMORY_GB = 1;
const SIGN_OF_LIFE_MS = 15_000;

/** A failure whose one line is meant for the person at the keyboard. */
export class SetupError extends Error {}

/**
 * Installs the npm packages when what is installed is not what package-lock.json says. A program that
 * only runs needs no development packages (`dev: false`): the container image has none.
 */
export function ensureNodeModules({ dev = true } = {}) {
  if (areModulesCurrent(dev)) return;
  console.error('正在安装 npm 依赖包，首次需要几分钟');
  console.error(spaceWords());
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...args] = [...npm, 'ci', '--include=dev', '--include=optional', '--loglevel=error'];
  const done = withSignsOfLife('仍在安装 npm 依赖包', () =>
    spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] }),
  );
  if (done.status !== 0) throw new SetupError('npm 依赖包没有装好，请检查网络后重试，原因见上方 npm 的输出');
}

const inGigabytes = (bytes) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

/** What the installation takes and what is there, before it takes it. */
function spaceWords() {
  const { bavail, bsize } = statfsSync(root);
  return `约需 ${NEEDED_DISK_GB} GB 磁盘、${NEEDED_MEMORY_GB} GB 以上内存；本机磁盘剩余 ${inGigabytes(bavail * bsize)}，内存共 ${inGigabytes(os.totalmem())}`;
}

/** Tells every 15 seconds that something long still goes on; in a thread, as this one waits for it. */
function withSignsOfLife(words, work) {
  const everySoOften = `
    const { writeSync } = require('node:fs');
    const startedAt = Date.now();
    const tell = () => {
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      writeSync(2, ${JSON.stringify(words)} + '，已用 ' + seconds + ' 秒\\n');
    };
    setInterval(tell, ${SIGN_OF_LIFE_MS});`;
  const thread = new Worker(everySoOften, { eval: true });
  try {
    return work();
  } finally {
    thread.terminate();
  }
}

/** npm writes node_modules/.package-lock.json last, so it also tells of an interrupted installation. */
function areModulesCurrent(dev) {
  const wanted = readLock(at('package-lock.json'));
  const installed = readLock(at('node_modules/.package-lock.json'));
  const isForHere = ({ os = [], cpu = [] }) => os.includes(process.platform) && cpu.includes(process.arch);
  return Object.entries(wanted).every(([folder, entry]) => {
    const { version, optional, link, libc } = entry;
    if (folder === '' || link) return true;
    if (!dev && (entry.dev || entry.devOptional)) return true;
    // Optional ones are those of other machines; one made for this machine was not downloaded.
    if (installed[folder] === undefined) return Boolean(optional) && (!isForHere(entry) || Boolean(libc));
    return installed[folder].version === version;
  });
}

function readLock(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** The Node 24 that runs the server; it comes as an npm package. */
export function node24Path() {
  const pinned = at(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new SetupError(`没有适合本机（${process.platform}-${process.arch}）的 Node 24，请自行安装 Node 24 后重试`);
}

/** An environment in which `node` is Node 24 and the tools of the project are found first. */
export function toolEnvironment(extra = {}) {
  const folders = [path.dirname(node24Path()), at('node_modules/.bin'), process.env.PATH];
  return { ...process.env, ...extra, PATH: folders.filter(Boolean).join(path.delimiter) };
}

const buildInputs = ['src', 'public', 'vite.config.ts', 'react-router.config.ts', 'package-lock.json'];
const buildStamp = at('build/.inputs');

/** Whether the built pages are those of the present sources. */
export function isBuildCurrent() {
  return existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === hashInputs();
}

/** Builds the pages when their sources changed; the stamp is written last. */
export function ensureBuild() {
  if (isBuildCurrent()) return;
  console.error('正在构建页面');
  const hash = hashInputs();
  rmSync(buildStamp, { force: true });
  const env = toolEnvironment({ NODE_ENV: 'production' });
  const done = withSignsOfLife('仍在构建页面', () =>
    spawnSync('react-router', ['build'], { cwd: root, env, encoding: 'utf8' }),
  );
  if (done.status !== 0) {
    console.error(`${done.stdout}${done.stderr}`);
    throw new SetupError('页面构建失败，原因见上方输出');
  }
  compressAssets(at('build/client'));
  writeFileSync(buildStamp, hash);
}

function hashInputs() {
  const hash = createHash('sha256');
  for (const input of buildInputs) {
    for (const file of filesOf(input)) {
      hash
        .update(`${file}\0`)
        .update(readFileSync(at(file)))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/** Files in a stable order, without tests. */
function filesOf(input) {
  if (!existsSync(at(input))) return [];
  if (!statSync(at(input)).isDirectory()) return [input];
  return readdirSync(at(input), { withFileTypes: true })
    .filter(({ name }) => !/\.test\.tsx?$/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(input, entry.name);
      return entry.isDirectory() ? filesOf(file) : [file];
    });
}
