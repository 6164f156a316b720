import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, copyBinaries, createLibraryLinks } from './binaries.ts';
import { PostgresStartError } from './start-error.ts';

const run = promisify(execFile);

/** The user that runs the server. PostgreSQL does not run as root. */
export type ServerUser = {
  /** Command and arguments before the program. */
  prefix: string[];
  /** Set if the program must be started with another uid and gid. */
  identity: { uid: number; gid: number } | undefined;
  /** Owner of the files, outside of a user namespace. */
  owner: { uid: number; gid: number };
};

/** In a user namespace the server is not root inside, and outside still the owner of root's files. */
const namespaceUser: ServerUser = {
  prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
  identity: undefined,
  owner: { uid: 0, gid: 0 },
};
const serverUserOf = (owner: { uid: number; gid: number }): ServerUser => ({
  prefix: [],
  identity: owner,
  owner,
});

/**
 * Chooses the user that runs the server and the copy of the programs that this user can access, and makes the user the
 * owner of the data folder.
 */
export async function chooseServerUser(
  dataDir: string,
  packagedBinaries: Binaries,
): Promise<{ user: ServerUser; binaries: Binaries }> {
  const isLinked = await createLibraryLinks(packagedBinaries);
  for (const user of await candidateUsers(dataDir)) {
    if (process.getuid?.() === 0) await chown(dataDir, user.owner.uid, user.owner.gid);
    if (!(await passesFileTest(user, '-w', dataDir))) continue;
    const isReachable = isLinked && (await passesFileTest(user, '-x', packagedBinaries.postgres));
    const binaries = isReachable ? packagedBinaries : await copyBinaries(packagedBinaries, dataDir);
    if (!(await passesFileTest(user, '-x', binaries.postgres))) continue;
    await chownCluster(path.join(dataDir, 'cluster'), user);
    return { user, binaries };
  }
  throw new PostgresStartError(
    process.getuid?.() === 0
      ? `内置 PostgreSQL 不能以 root 身份运行，也没有其他用户能读写 ${dataDir}，请用环境变量 DATABASE_URL 指定数据库，或把 DATA_DIR 设为其他用户可以进入的文件夹`
      : `当前用户不能读写 ${dataDir}，请更改该文件夹的所有者，或用环境变量 DATABASE_URL 指定数据库`,
  );
}

async function candidateUsers(dataDir: string): Promise<ServerUser[]> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return [{ prefix: [], identity: undefined, owner: { uid, gid } }];
  const accounts = await readAccounts();
  const userOfOwner = (owner: { uid: number; gid: number }) =>
    owner.uid !== 0 && accounts.some((account) => account.uid === owner.uid) ? [serverUserOf(owner)] : [];
  const usersByName = (name: string) =>
    accounts.filter((account) => account.name === name).map(({ uid, gid }) => serverUserOf({ uid, gid }));
  const cluster = path.join(dataDir, 'cluster');
  return [
    // The owner of an existing cluster comes first, so that a single `sudo npm start` does not lock that user out.
    ...(existsSync(cluster) ? userOfOwner(await stat(cluster)) : []),
    namespaceUser,
    ...userOfOwner(await stat(path.dirname(dataDir))),
    ...usersByName('postgres'),
    ...usersByName('nobody'),
  ];
}

async function readAccounts() {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  return lines.map((line) => {
    const [name, , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

async function passesFileTest(user: ServerUser, test: '-w' | '-x', file: string): Promise<boolean> {
  const [command = '', ...args] = [...user.prefix, 'test', test, file];
  try {
    await run(command, args, { ...user.identity, cwd: '/', timeout: 10_000 });
    return true;
  } catch {
    return false; // Not permitted, or user namespaces are not available.
  }
}

/** Changes the owner of an existing cluster to the server user. Only needed, and only possible, as root. */
async function chownCluster(cluster: string, { owner }: ServerUser) {
  if (process.getuid?.() !== 0 || !existsSync(cluster)) return;
  if ((await stat(cluster)).uid === owner.uid) return;
  const entries = await readdir(cluster, { recursive: true });
  // The folder itself is last: after an interruption, the next start finds the old owner and repeats this.
  for (const entry of entries) await lchown(path.join(cluster, entry), owner.uid, owner.gid);
  await chown(cluster, owner.uid, owner.gid);
}
