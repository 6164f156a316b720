import { execFile } from 'node:child_process';
import { appendFile, chown, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ContainerEngine } from './container-engine.ts';

const execute = promisify(execFile);

const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';
const NODE_USER_ID = 1000;
/** Folders that Debian's images also omit. */
const unusedFolders = [
  ...['usr/share/doc', 'usr/share/info', 'usr/share/locale', 'usr/share/man'],
  ...['var/cache/apt', 'var/lib/apt/lists'],
];

/**
 * Creates an image like node:24-trixie-slim for machines that cannot reach an image registry: Debian by debootstrap, the
 * Node and npm of this machine with the configured package registry, and the user `node`.
 */
export async function createLocalBaseImage(engine: ContainerEngine, image: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-base-'));
  const root = path.join(folder, 'root');
  const archive = path.join(folder, 'root.tar');
  try {
    await execute('debootstrap', ['--variant=minbase', '--include=libatomic1', 'trixie', root]);
    for (const unusedFolder of unusedFolders) await rm(path.join(root, unusedFolder), { recursive: true });
    await addUser(root);
    await addNode(root);
    await execute('tar', ['-C', root, '-cf', archive, '.']);
    await engine.importArchive(archive, image);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function addUser(root: string): Promise<void> {
  const home = '/home/node';
  const line = `node:x:${NODE_USER_ID}:${NODE_USER_ID}::${home}:/bin/bash\n`;
  await appendFile(path.join(root, 'etc/passwd'), line);
  await appendFile(path.join(root, 'etc/group'), `node:x:${NODE_USER_ID}:\n`);
  await mkdir(path.join(root, home));
  await chown(path.join(root, home), NODE_USER_ID, NODE_USER_ID);
}

async function addNode(root: string): Promise<void> {
  const prefix = path.join(root, 'usr/local');
  const npm = process.env.npm_execpath;
  if (!npm) throw new Error('run it with npm run test:image');
  const npmFolder = path.join(prefix, 'lib/node_modules/npm');
  await cp(process.execPath, path.join(prefix, 'bin/node'));
  await cp(path.join(path.dirname(npm), '..'), npmFolder, { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', path.join(prefix, 'bin/npm'));
  // The registry may be reached through a proxy with its own certificate.
  await mkdir(path.dirname(path.join(root, CERTIFICATES)), { recursive: true });
  await cp(`/${CERTIFICATES}`, path.join(root, CERTIFICATES));
  const { stdout } = await execute(process.execPath, [npm, 'config', 'get', 'registry']);
  const settings = `registry=${stdout.trim()}\ncafile=/${CERTIFICATES}\n`;
  await mkdir(path.join(prefix, 'etc'), { recursive: true });
  await writeFile(path.join(prefix, 'etc/npmrc'), settings);
}
