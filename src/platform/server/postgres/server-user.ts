import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, copyBinaries, linkLibraries } from './binaries.ts';
import { PostgresStartError } from './start-error.ts';

const run = promisify(execFile);

/** How the server's programs are started: PostgreSQL refuses to run as root. */
export type ServerUser = {
  /** Command and arguments put in front. */
  prefix: string[];
  /** Set when the program must be started under another identity. */
  identity: { uid: number; gid: number } | undefined;
  /** Who owns the files, as this process sees it. */
  owner: { uid: number; gid: number };
};

/** A user namespace of its own: not root inside, and outside still the owner of root's files. */
const namespaced: ServerUser = {
  prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
  identity: undefined,
  owner: { uid: 0, gid: 0 },
};
const as = (owner: { uid: number; gid: number }): ServerUser => ({
  prefix: [],
  identity: owner,
  owner,
});

/**
 * Chooses who runs the server and which copy of the programs that user can reach,
 * and gives that user the folder.
 */
export async function chooseServerUser(
  dataDir: string,
  packaged: Binaries,
): Promise<{ user: ServerUser; binaries: Binaries }> {
  const isLinked = await linkLibraries(packaged);
  for (const user of await candidates(dataDir)) {
    if (process.getuid?.() === 0) await chown(dataDir, user.owner.uid, user.owner.gid);
    if (!(await canDo(user, '-w', dataDir))) continue;
    const isReachable = isLinked && (await canDo(user, '-x', packaged.postgres));
    const binaries = isReachable ? packaged : await copyBinaries(packaged, dataDir);
    if (!(await canDo(user, '-x', binaries.postgres))) continue;
    await giveCluster(path.join(dataDir, 'cluster'), user);
    return { user, binaries };
  }
  throw new PostgresStartError(
    process.getuid?.() === 0
      ? `内置 PostgreSQL 不能以 root 身份运行，也没有其他用户能读写 ${dataDir}，请用环境变量 DATABASE_URL 指定数据库，或把 DATA_DIR 设为其他用户可以进入的文件夹`
      : `当前用户不能读写 ${dataDir}，请更改该文件夹的所有者，或用环境变量 DATABASE_URL 指定数据库`,
  );
}

async function candidates(dataDir: string): Promise<ServerUser[]> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return [{ prefix: [], identity: undefined, owner: { uid, gid } }];
  const accounts = await readAccounts();
  const known = (owner: { uid: number; gid: number }) =>
    owner.uid !== 0 && accounts.some((account) => account.uid === owner.uid) ? [as(owner)] : [];
  const named = (name: string) =>
    accounts.filter((account) => account.name === name).map(({ uid, gid }) => as({ uid, gid }));
  const cluster = path.join(dataDir, 'cluster');
  return [
    // Whoever made the cluster goes on with it, so that `sudo npm start` once does not lock the user out.
    ...(existsSync(cluster) ? known(await stat(cluster)) : []),
    namespaced,
    ...known(await stat(path.dirname(dataDir))),
    ...named('postgres'),
    ...named('nobody'),
  ];
}

async function readAccounts() {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  return lines.map((line) => {
    const [name, , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

async function canDo(user: ServerUser, test: '-w' | '-x', file: string): Promise<boolean> {
  const [command = '', ...args] = [...user.prefix, 'test', test, file];
  try {
    await run(command, args, { ...user.identity, cwd: '/', timeout: 10_000 });
    return true;
  } catch {
    return false; // Not permitted, or this way of changing identity does not exist here.
  }
}

/** Hands an existing cluster to the user that will run it; only root can and must do that. */
async function giveCluster(cluster: string, { owner }: ServerUser) {
  if (process.getuid?.() !== 0 || !existsSync(cluster)) return;
  if ((await stat(cluster)).uid === owner.uid) return;
  const entries = await readdir(cluster, { recursive: true });
  // The folder itself comes last: when interrupted, the next start sees the old owner and repeats this.
  for (const entry of entries) await lchown(path.join(cluster, entry), owner.uid, owner.gid);
  await chown(cluster, owner.uid, owner.gid);
}
