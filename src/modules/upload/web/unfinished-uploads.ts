import { STORAGE_PREFIX } from '#platform/web/browser-storage.ts';
import type { UploadItem } from './upload-item.ts';
import { getUploadPageId } from './upload-page-id.ts';

/** Larger files are not copied into IndexedDB; users select them again. */
const MAX_STORED_FILE_BYTES = 512 * 1024 * 1024;
const ROWS_STORE = 'uploads';
const FILES_STORE = 'files';
/** Longer than the minute between two timer runs of a background page. */
const CLAIM_MS = 90_000;

/** Data that survives a reload, in addition to the file. */
export type StoredUpload = Pick<
  UploadItem,
  'key' | 'title' | 'price' | 'error' | 'isRefused' | 'uploadUrl' | 'attachmentId' | 'isInstant' | 'isSubmitted'
> & {
  isPaused: boolean;
  userId: number;
  /** The category that is selected for all. */
  categoryId: number;
  /** Missing in rows that an older version of the site stored. */
  archive?: UploadItem['archive'];
  itemCategoryId?: number;
};

/** Only the owner page sends the file, as long as it renews its claim. */
type Row = StoredUpload & { owner: string; until: number };
type Stores = { rows: IDBObjectStore; files: IDBObjectStore };

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(`${STORAGE_PREFIX}-uploads`, 2);
    request.onupgradeneeded = () => {
      const database = request.result;
      // Version 1 stored row and file together.
      for (const name of database.objectStoreNames) database.deleteObjectStore(name);
      database.createObjectStore(ROWS_STORE, { keyPath: 'key' });
      database.createObjectStore(FILES_STORE);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let lastTransaction: Promise<void> = Promise.resolve();
/**
 * Runs `work` in one transaction, after all earlier ones. Without IndexedDB (private windows, full disk) uploads work
 * but do not survive a reload.
 */
function runInUploadStores(work: (stores: Stores) => void, onComplete = () => {}): Promise<void> {
  lastTransaction = lastTransaction
    .then(() => runTransaction(work))
    .then(onComplete)
    .catch(() => {});
  return lastTransaction;
}

async function runTransaction(work: (stores: Stores) => void): Promise<void> {
  const database = await openDatabase();
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction([ROWS_STORE, FILES_STORE], 'readwrite');
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
      work({ rows: transaction.objectStore(ROWS_STORE), files: transaction.objectStore(FILES_STORE) });
    });
  } finally {
    database.close();
  }
}

const createClaim = () => ({ owner: getUploadPageId(), until: Date.now() + CLAIM_MS });
const isClaimedByOtherPage = ({ owner, until }: Row) => owner !== getUploadPageId() && until > Date.now();

/** Keys of files that are already copied. */
const copiedKeys = new Set<string>();
/** A late write must not restore a finished or removed upload. */
const deletedKeys = new Set<string>();

export async function storeUnfinishedUpload(upload: StoredUpload, file: File): Promise<void> {
  const { key } = upload;
  if (file.size > MAX_STORED_FILE_BYTES || deletedKeys.has(key)) return;
  await runInUploadStores(
    ({ rows, files }) => {
      rows.put({ ...upload, ...createClaim() });
      if (!copiedKeys.has(key)) files.put(file, key);
    },
    () => void copiedKeys.add(key),
  );
}

export function deleteUnfinishedUpload(key: string): Promise<void> {
  deletedKeys.add(key);
  return runInUploadStores(({ rows, files }) => {
    rows.delete(key);
    files.delete(key);
  });
}

/** Claims the uploads that no other page sends; `isNew` excludes those that this page already had. */
export async function claimUploads(
  userId: number,
  { isNew }: { isNew: boolean },
): Promise<(StoredUpload & { file: File })[]> {
  const claimedUploads: (StoredUpload & { file: File })[] = [];
  const claimRow = (row: Row, { rows, files }: Stores) => {
    rows.put({ ...row, ...createClaim() });
    const fileRequest: IDBRequest<File | undefined> = files.get(row.key);
    fileRequest.onsuccess = () => {
      const { owner: _, until: __, ...storedUpload } = row;
      if (!fileRequest.result) return;
      copiedKeys.add(row.key);
      claimedUploads.push({ ...storedUpload, file: fileRequest.result });
    };
  };
  await runInUploadStores((stores) => {
    const rowsRequest: IDBRequest<Row[]> = stores.rows.getAll();
    rowsRequest.onsuccess = () => {
      for (const row of rowsRequest.result)
        if (row.userId === userId && !isClaimedByOtherPage(row) && !(isNew && row.owner === getUploadPageId()))
          claimRow(row, stores);
    };
  });
  return claimedUploads.filter(({ key }) => !deletedKeys.has(key));
}

/** Renews the claims of this page. Returns the keys that other pages have claimed. */
export async function renewClaims(): Promise<string[]> {
  const otherKeys: string[] = [];
  await runInUploadStores(({ rows }) => {
    const rowsRequest: IDBRequest<Row[]> = rows.getAll();
    rowsRequest.onsuccess = () => {
      for (const row of rowsRequest.result) {
        if (row.owner === getUploadPageId()) rows.put({ ...row, ...createClaim() });
        else if (isClaimedByOtherPage(row)) otherKeys.push(row.key);
      }
    };
  });
  return otherKeys;
}
