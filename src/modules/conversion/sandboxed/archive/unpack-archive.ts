import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import type { ArchiveEntry, ArchiveKind, ArchiveProblem } from '../../archive-entry.contract.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import type { ArchiveMember } from './archive-member.ts';
import { listLibarchiveMembers } from './libarchive-members.ts';
import { cleanMemberPath, isSystemFile } from './member-path.ts';
import { listZipMembers } from './zip-members.ts';

const MB = 1024 * 1024;
const MAX_DIRECTORY_ENTRIES = 20_000;
const MAX_FILES = 2_000;
const MAX_TOTAL_BYTES = 2048 * MB;
/** Small archives may compress well; above this size a ratio over `MAX_RATIO` indicates a bomb. */
const RATIO_CHECK_MIN_BYTES = 10 * MB;
const MAX_RATIO = 100;
const ARCHIVE_EXTENSIONS = new Set('zip rar 7z tar gz tgz bz2 xz zst iso cab arj lzh'.split(' '));

type UnpackArchiveTask = {
  file: string;
  folder: string;
  kind: ArchiveKind;
  /** Path of bsdtar, for archives other than ZIP. */
  program: string;
  /** Extensions of documents, without dots. */
  extensions: string[];
  maxFileBytes: number;
};

/** Writes the documents of an archive as e/0, e/1 … and the list of all its files as entries.json. */
export async function unpackArchive({ file, folder, kind, program, extensions, maxFileBytes }: UnpackArchiveTask) {
  mkdirSync(`${folder}/e`, { recursive: true });
  const meter = createByteMeter(statSync(file).size);
  const documentExtensions = new Set(extensions);
  const entries: ArchiveEntry[] = [];
  let encryptedCount = 0;
  const members = kind === 'zip' ? listZipMembers(file, MAX_DIRECTORY_ENTRIES) : listLibarchiveMembers(file, program);
  for await (const member of members) {
    const path = cleanMemberPath(member.path);
    if (path === '' || isSystemFile(path)) {
      if (kind !== 'zip') await meter.discard(member);
      continue;
    }
    if (entries.length >= MAX_FILES) throw new RejectedFileError('archiveEntries');
    const index = entries.length;
    const problem = findProblem(member, path, { documentExtensions, maxFileBytes });
    if (problem === 'encrypted') encryptedCount++;
    // A stream is read to the end in any case; the directory of a ZIP names what to read.
    if (problem && kind !== 'zip') await meter.discard(member);
    const result = problem
      ? { size: member.declaredSize, problem }
      : await writeMember(member, `${folder}/e/${index}`, { meter, maxFileBytes });
    entries.push({ index, path, ...result });
  }
  if (entries.length > 0 && encryptedCount === entries.length) throw new RejectedFileError('archiveEncrypted');
  if (entries.length === 0) throw new RejectedFileError('archiveEmpty');
  writeFileSync(`${folder}/entries.json`, JSON.stringify(entries));
}

type DocumentRules = { documentExtensions: ReadonlySet<string>; maxFileBytes: number };

function findProblem(
  { declaredSize, isEncrypted }: ArchiveMember,
  path: string,
  { documentExtensions, maxFileBytes }: DocumentRules,
): ArchiveProblem | null {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (ARCHIVE_EXTENSIONS.has(extension)) return 'archive';
  if (!documentExtensions.has(extension)) return 'unsupported';
  if (isEncrypted) return 'encrypted';
  if (declaredSize === 0) return 'empty';
  return declaredSize > maxFileBytes ? 'tooLarge' : null;
}

type ByteMeter = ReturnType<typeof createByteMeter>;

/** Counts real bytes, because the sizes that an archive declares may be false. */
function createByteMeter(archiveBytes: number) {
  let total = 0;
  const add = (bytes: number) => {
    total += bytes;
    const isSuspicious = total > RATIO_CHECK_MIN_BYTES && total > archiveBytes * MAX_RATIO;
    if (total > MAX_TOTAL_BYTES || isSuspicious) throw new RejectedFileError('bomb');
  };
  return {
    add,
    async discard(member: ArchiveMember): Promise<void> {
      for await (const chunk of await member.read()) add(chunk.length);
    },
  };
}

async function writeMember(
  member: ArchiveMember,
  target: string,
  { meter, maxFileBytes }: { meter: ByteMeter; maxFileBytes: number },
): Promise<{ size: number; problem: ArchiveProblem | null }> {
  const descriptor = openSync(target, 'wx');
  let size = 0;
  try {
    for await (const chunk of await member.read()) {
      size += chunk.length;
      meter.add(chunk.length);
      if (size > maxFileBytes) throw new RejectedFileError('bomb', 'larger than declared');
      writeSync(descriptor, chunk);
    }
    return { size, problem: null };
  } catch (error) {
    if (error instanceof RejectedFileError || (error as NodeJS.ErrnoException).syscall === 'write') throw error;
    // Other files of the archive may be intact.
    rmSync(target);
    return { size: member.declaredSize, problem: 'damaged' };
  } finally {
    closeSync(descriptor);
  }
}
