import { STORAGE_PREFIX } from '#platform/web/storage.ts';
import { pageOwner } from './page-owner.ts';
import type { UploadItem } from './upload-list.ts';

/** Larger files are not copied into the browser's store; they are chosen again. */
const MAX_KEPT_BYTES = 512 * 1024 * 1024;
const ROWS = 'uploads';
const FILES = 'files';
/** Longer than the minute between two turns of a page in the background. */
const CLAIM_MS = 90_000;

/** What survives a reload beside the file itself. */
export type StoredUpload = Pick<
  UploadItem,
  'key' | 'title' | 'price' | 'error' | 'isRefused' | 'uploadUrl' | 'attachmentId' | 'isInstant' | 'isSubmitted'
> & { isPaused: boolean; userId: number; categoryId: number };

/** Of all pages only the owner sends it, as long as it goes on saying so. */
type Row = StoredUpload & { owner: string; until: number };
type Stores = { rows: IDBObjectStore; files: IDBObjectStore };

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(`${STORAGE_PREFIX}-uploads`, 2);
    request.onupgradeneeded = () => {
      const database = request.result;
      // An older one held row and file as one.
      for (const name of database.objectStoreNames) database.deleteObjectStore(name);
      database.createObjectStore(ROWS, { keyPath: 'key' });
      database.createObjectStore(FILES);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let last: Promise<void> = Promise.resolve();
/**
 * All that `work` asks for happens or nothing of it, in the order it was asked for, and nothing of
 * another page in between. Without a store (private windows, a full disk) uploads work all the same,
 * only not beyond a reload.
 */
function inStores(work: (stores: Stores) => void, then = () => {}): Promise<void> {
  last = last
    .then(() => transact(work))
    .then(then)
    .catch(() => {});
  return last;
}

async function transact(work: (stores: Stores) => void): Promise<void> {
  const database = await open();
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction([ROWS, FILES], 'readwrite');
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
      work({ rows: transaction.objectStore(ROWS), files: transaction.objectStore(FILES) });
    });
  } finally {
    database.close();
  }
}

const claim = () => ({ owner: pageOwner(), until: Date.now() + CLAIM_MS });
const isOthers = ({ owner, until }: Row) => owner !== pageOwner() && until > Date.now();

/** A file is copied once, however often something about it changes. */
const copied = new Set<string>();
/** What is done or removed does not come back by a word about it that came late. */
const forgotten = new Set<string>();

export async function storeUpload(upload: StoredUpload, file: File): Promise<void> {
  const { key } = upload;
  if (file.size > MAX_KEPT_BYTES || forgotten.has(key)) return;
  await inStores(
    ({ rows, files }) => {
      rows.put({ ...upload, ...claim() });
      if (!copied.has(key)) files.put(file, key);
    },
    () => void copied.add(key),
  );
}

export function deleteUpload(key: string): Promise<void> {
  forgotten.add(key);
  return inStores(({ rows, files }) => {
    rows.delete(key);
    files.delete(key);
  });
}

/** What no other page is sending, from now on of this page; `isNew`: without what it had. */
export async function claimUploads(
  userId: number,
  { isNew }: { isNew: boolean },
): Promise<(StoredUpload & { file: File })[]> {
  const taken: (StoredUpload & { file: File })[] = [];
  const take = (row: Row, { rows, files }: Stores) => {
    rows.put({ ...row, ...claim() });
    const asked: IDBRequest<File | undefined> = files.get(row.key);
    asked.onsuccess = () => {
      const { owner: _, until: __, ...kept } = row;
      if (!asked.result) return;
      copied.add(row.key);
      taken.push({ ...kept, file: asked.result });
    };
  };
  await inStores((stores) => {
    const asked: IDBRequest<Row[]> = stores.rows.getAll();
    asked.onsuccess = () => {
      for (const row of asked.result)
        if (row.userId === userId && !isOthers(row) && !(isNew && row.owner === pageOwner())) take(row, stores);
    };
  });
  return taken.filter(({ key }) => !forgotten.has(key));
}

/** Says that this page is still there. Gives what other pages have taken over. */
export async function holdUploads(): Promise<string[]> {
  const others: string[] = [];
  await inStores(({ rows }) => {
    const asked: IDBRequest<Row[]> = rows.getAll();
    asked.onsuccess = () => {
      for (const row of asked.result) {
        if (row.owner === pageOwner()) rows.put({ ...row, ...claim() });
        else if (isOthers(row)) others.push(row.key);
      }
    };
  });
  return others;
}
