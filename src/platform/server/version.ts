import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './config.ts';

const packageFile: { version: string } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
export const VERSION = packageFile.version;

const HASH_LETTERS = 12;
/** Written by scripts/setup.mjs at the end of a build: the hash of all sources. */
const buildStamp = join(projectRoot, 'build/.inputs');

/** Which build runs, and when it was made. */
export async function readBuild(): Promise<{ hash: string; build_at: string | null }> {
  try {
    const [hash, { mtime }] = await Promise.all([readFile(buildStamp, 'utf8'), stat(buildStamp)]);
    return { hash: hash.slice(0, HASH_LETTERS), build_at: mtime.toISOString() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { hash: '', build_at: null };
  }
}
