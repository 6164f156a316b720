import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { RejectedFileError } from '../rejection-reasons.ts';
import type { ArchiveMember } from './archive-member.ts';
import { readTarMembers } from './tar-stream.ts';

const MAX_ERROR_LENGTH = 4_000;

/** Files of a RAR or 7z archive, which bsdtar rewrites as a tar stream: nothing is written to the disk. */
export async function* listLibarchiveMembers(file: string, program: string): AsyncGenerator<ArchiveMember> {
  const child = spawn(program, ['-c', '--format=pax', '-f', '-', `@${file}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { LC_ALL: 'C.UTF-8' },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MAX_ERROR_LENGTH);
  });
  const exit = once(child, 'close');
  try {
    yield* readTarMembers(child.stdout);
    const [code] = await exit;
    if (code !== 0) throw new RejectedFileError('archiveDamaged');
  } catch (error) {
    if (!(error instanceof RejectedFileError) || error.reason !== 'archiveDamaged') throw error;
    await exit;
    // The program reports the cause on standard error.
    throw /encrypt|password|passphrase/i.test(errors) ? new RejectedFileError('archiveEncrypted') : error;
  } finally {
    child.kill('SIGKILL');
  }
}
