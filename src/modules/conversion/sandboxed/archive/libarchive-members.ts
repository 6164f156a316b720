import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { RejectedFileError } from '../rejection-reasons.ts';
import type { ArchiveMember } from './archive-member.ts';
import { readTarMembers } from './tar-stream.ts';

const MAX_ERROR_LENGTH = 4_000;
const ENVIRONMENT = { LC_ALL: 'C.UTF-8' };

/** Files of a RAR or 7z archive, which bsdtar rewrites as a tar stream: nothing is written to the disk. */
export async function* listLibarchiveMembers(file: string, program: string): AsyncGenerator<ArchiveMember> {
  const child = spawn(program, ['-c', '--format=pax', '-f', '-', `@${file}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: ENVIRONMENT,
  });
  const exit = once(child, 'close');
  try {
    yield* readTarMembers(child.stdout);
    const [code] = await exit;
    if (code !== 0) throw new RejectedFileError('archiveDamaged');
  } catch (error) {
    const isDamaged = error instanceof RejectedFileError && error.reason === 'archiveDamaged';
    if (isDamaged && (await isEncrypted(file, program))) throw new RejectedFileError('archiveEncrypted');
    throw error;
  } finally {
    child.kill('SIGKILL');
  }
}

/** Rewriting reports no cause, unpacking does. */
async function isEncrypted(file: string, program: string): Promise<boolean> {
  const child = spawn(program, ['-x', '-O', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'], env: ENVIRONMENT });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MAX_ERROR_LENGTH);
  });
  await once(child, 'close');
  return /crypt|password|passphrase/i.test(errors);
}
