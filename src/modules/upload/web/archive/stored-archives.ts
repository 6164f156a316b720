import * as z from 'zod/mini';
import { STORAGE_PREFIX } from '#platform/web/browser-storage.ts';

const ARCHIVES_STORAGE_KEY = `${STORAGE_PREFIX}archives`;
const MAX_STORED_ARCHIVES = 20;

const storedArchive = z.object({
  userId: z.int(),
  uploadId: z.string(),
  name: z.string(),
  size: z.int(),
  isSent: z.boolean(),
});
const storedArchiveList = z.array(storedArchive);
export type StoredArchive = z.infer<typeof storedArchive>;

/** Without local storage (private windows, quota exceeded) an archive does not survive a reload. */
function readArchives(): StoredArchive[] {
  try {
    return storedArchiveList.parse(JSON.parse(localStorage.getItem(ARCHIVES_STORAGE_KEY) ?? '[]'));
  } catch {
    return [];
  }
}

function writeArchives(archives: StoredArchive[]): void {
  try {
    localStorage.setItem(ARCHIVES_STORAGE_KEY, JSON.stringify(archives.slice(-MAX_STORED_ARCHIVES)));
  } catch {
    // Without local storage the archive is not restored after a reload.
  }
}

/** Archives of the user that were sent, completely or in part. */
export const loadArchives = (userIdFilter: number): StoredArchive[] =>
  readArchives().filter(({ userId }) => userId === userIdFilter);

export const rememberArchive = (archive: StoredArchive): void =>
  writeArchives([...readArchives().filter(({ uploadId }) => uploadId !== archive.uploadId), archive]);

export const forgetArchive = (removedId: string): void => {
  const archives = readArchives();
  if (archives.some(({ uploadId }) => uploadId === removedId))
    writeArchives(archives.filter(({ uploadId }) => uploadId !== removedId));
};
