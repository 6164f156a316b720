import * as z from 'zod/mini';
import { STORAGE_PREFIX } from '#platform/web/browser-storage.ts';
import { newUploadItem, type UploadItem } from './upload-item.ts';

const FINISHED_STORAGE_KEY = `${STORAGE_PREFIX}uploaded`;

const finishedUpload = z.object({
  userId: z.int(),
  key: z.string(),
  name: z.string(),
  size: z.int(),
  title: z.string(),
  price: z.string(),
  isInstant: z.boolean(),
  documentId: z.int(),
  same: z.array(z.object({ id: z.int(), title: z.string() })),
});
const finishedUploadList = z.array(finishedUpload);
type FinishedUpload = z.infer<typeof finishedUpload>;

/** Without session storage (private windows, quota exceeded) the rows exist until the page is left. */
function readFinishedUploads(): FinishedUpload[] {
  try {
    return finishedUploadList.parse(JSON.parse(sessionStorage.getItem(FINISHED_STORAGE_KEY) ?? '[]'));
  } catch {
    return [];
  }
}

function writeFinishedUploads(rows: FinishedUpload[]): void {
  try {
    sessionStorage.setItem(FINISHED_STORAGE_KEY, JSON.stringify(rows));
  } catch {
    // Without session storage the row is not restored after a reload.
  }
}

/** Lists the uploads of this tab while it is open. */
export const loadFinishedUploads = (userIdFilter: number): UploadItem[] =>
  readFinishedUploads()
    .filter(({ userId }) => userId === userIdFilter)
    .map(({ userId: _, ...row }) => ({
      ...newUploadItem(new File([], row.name), row.price),
      ...row,
      file: null,
      state: 'done',
      progress: 1,
      isSubmitted: true,
    }));

export function storeFinishedUpload(userId: number, item: UploadItem): void {
  const otherRows = readFinishedUploads().filter(({ key }) => key !== item.key);
  const { key, name, size, title, price, isInstant, documentId, same } = item;
  writeFinishedUploads([...otherRows, { userId, key, name, size, title, price, isInstant, documentId, same }]);
}

export const removeFinishedUploads = (removedKeys: readonly string[]): void =>
  writeFinishedUploads(readFinishedUploads().filter(({ key }) => !removedKeys.includes(key)));
