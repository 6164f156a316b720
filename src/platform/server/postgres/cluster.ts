import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../storage/sync-folder.ts';
import type { Binaries } from './binaries.ts';
import type { ServerUser } from './server-user.ts';
import { PostgresStartError } from './start-error.ts';

const run = promisify(execFile);
const MAJOR_VERSION = '18';

export const clusterPath = (dataDir: string) => path.join(dataDir, 'cluster');

/** Children inherit no variables: neither secrets nor PG* settings that would change their behaviour. */
export const childEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Creates the cluster if it does not exist. The folder is renamed only when complete. */
export async function ensureCluster(dataDir: string, user: ServerUser, binaries: Binaries) {
  const cluster = clusterPath(dataDir);
  if (existsSync(cluster)) return assertMajorVersion(cluster);
  const unfinishedCluster = `${cluster}.unfinished`;
  await rm(unfinishedCluster, { recursive: true, force: true });
  await mkdir(unfinishedCluster, { mode: 0o700 });
  await chownToServerUser(unfinishedCluster, user);
  const [command = '', ...args] = [
    ...user.prefix,
    binaries.initdb,
    `--pgdata=${unfinishedCluster}`,
    '--username=postgres',
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
  try {
    await run(command, args, { ...user.identity, cwd: dataDir, env: childEnvironment });
  } catch (cause) {
    const { stderr } = cause as { stderr?: string };
    const reason = stderr?.trim().split('\n').at(-1) ?? String(cause);
    throw new PostgresStartError(
      `内置 PostgreSQL 无法在 ${dataDir} 建立数据库（${reason}），也可以用环境变量 DATABASE_URL 指定数据库`,
      { cause },
    );
  }
  await rename(unfinishedCluster, cluster);
  await syncFolder(dataDir);
}

async function assertMajorVersion(cluster: string) {
  const file = path.join(cluster, 'PG_VERSION');
  const version = existsSync(file) ? (await readFile(file, 'utf8')).trim() : null;
  if (version === MAJOR_VERSION) return;
  throw new PostgresStartError(
    version === null
      ? `${cluster} 不是完整的数据库文件夹，请从备份恢复，或移走它后重新开始`
      : `${cluster} 由 PostgreSQL ${version} 建立，内置的版本是 ${MAJOR_VERSION}，请先用旧版本备份再恢复`,
  );
}

/**
 * Creates the folder of the Unix socket, closed to other users because the server trusts every connection. The path of a
 * socket is limited to 107 bytes, so a deep data folder gets a socket folder under /tmp.
 */
export async function ensureSocketFolder(dataDir: string, user: ServerUser): Promise<string> {
  const folderInDataDir = path.join(dataDir, 'socket');
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const folder = Buffer.byteLength(folderInDataDir) <= 90 ? folderInDataDir : `/tmp/douku-${digest}`;
  await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    const stats = await lstat(folder);
    if (!stats.isDirectory() || (stats.uid !== user.owner.uid && stats.uid !== process.getuid?.()))
      throw new PostgresStartError(`${folder} 属于其他用户，请删除它，或把 DATA_DIR 设为较短的路径`);
  });
  await chmod(folder, 0o700);
  await chownToServerUser(folder, user);
  return folder;
}

async function chownToServerUser(folder: string, { owner }: ServerUser) {
  if (process.getuid?.() === 0) await chown(folder, owner.uid, owner.gid);
}
