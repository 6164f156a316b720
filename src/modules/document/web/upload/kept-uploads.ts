import { STORAGE_PREFIX } from '#platform/web/storage.ts';
import type { UploadItem } from './upload-list.ts';

/** Larger files are not copied into the browser's store; they are chosen again. */
const MAX_KEPT_BYTES = 512 * 1024 * 1024;
const STORE = 'uploads';

/** What survives a reload: the file itself and what was said about it. */
export type KeptUpload = Pick<
  UploadItem,
  | 'key'
  | 'title'
  | 'price'
  | 'error'
  | 'isRefused'
  | 'uploadUrl'
  | 'attachmentId'
  | 'isInstant'
  | 'isSubmitted'
> & { file: File; userId: number; categoryId: number };

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(`${STORAGE_PREFIX}-uploads`, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** Without a store (private windows, a full disk) uploads work all the same, only not beyond a reload. */
const orNothing = async <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  work.catch(() => otherwise);

export async function keepUpload(upload: KeptUpload): Promise<void> {
  if (upload.file.size > MAX_KEPT_BYTES) return;
  await orNothing(
    run('readwrite', (store) => store.put(upload)),
    undefined as never,
  );
}

export const forgetUpload = (key: string) =>
  orNothing(
    run('readwrite', (store) => store.delete(key)),
    undefined,
  );

export async function keptUploads(userId: number): Promise<KeptUpload[]> {
  const all = await orNothing(
    run('readonly', (store) => store.getAll() as IDBRequest<KeptUpload[]>),
    [],
  );
  return all.filter((upload) => upload.userId === userId);
}
