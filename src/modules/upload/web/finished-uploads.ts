import * as z from 'zod/mini';
import { STORAGE_PREFIX } from '#platform/web/storage.ts';
import { newItem, type UploadItem } from './upload-list.ts';

const KEY = `${STORAGE_PREFIX}uploaded`;

const finished = z.object({
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
const list = z.array(finished);
type Finished = z.infer<typeof finished>;

/** Without a store (private windows, a full one) the rows are there until the page is left. */
function read(): Finished[] {
  try {
    return list.parse(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'));
  } catch {
    return [];
  }
}

function write(rows: Finished[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(rows));
  } catch {
    // As above.
  }
}

/** What this tab uploaded is listed as long as the tab is open. */
export const finishedUploads = (ofUser: number): UploadItem[] =>
  read()
    .filter(({ userId }) => userId === ofUser)
    .map(({ userId: _, ...row }) => ({
      ...newItem(new File([], row.name), row.price),
      ...row,
      file: null,
      state: 'done',
      progress: 1,
      isSubmitted: true,
    }));

export function rememberFinished(userId: number, item: UploadItem): void {
  const others = read().filter(({ key }) => key !== item.key);
  const { key, name, size, title, price, isInstant, documentId, same } = item;
  write([...others, { userId, key, name, size, title, price, isInstant, documentId, same }]);
}

export const clearFinishedUploads = (forgotten: readonly string[]): void =>
  write(read().filter(({ key }) => !forgotten.includes(key)));
