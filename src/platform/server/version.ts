import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './config.ts';

const packageFile: { version: string } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
export const VERSION = packageFile.version;

const HASH_LENGTH = 12;
/** Contains the hash of all sources; scripts/setup.mjs writes it at the end of a build. */
const BUILD_STAMP_FILE = join(projectRoot, 'build/.inputs');

export async function readBuildInfo(): Promise<{ hash: string; build_at: string | null }> {
  try {
    const [hash, { mtime }] = await Promise.all([readFile(BUILD_STAMP_FILE, 'utf8'), stat(BUILD_STAMP_FILE)]);
    return { hash: hash.slice(0, HASH_LENGTH), build_at: mtime.toISOString() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { hash: '', build_at: null };
  }
}
