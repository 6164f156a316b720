import type { Page } from 'playwright-core';
import { eventually } from '../page-helpers.ts';
import { newAuthor } from '../test-documents.ts';
import type { startTestSite } from './site.ts';

export const makeTextFile = (title: string) => Buffer.from(`${title}\n\n${'书中有正文，正文分段落。\n'.repeat(40)}`);
export const filePayload = (name: string, buffer: Buffer) => ({ name, mimeType: '', buffer });
export const FILE_INPUT_SELECTOR = 'input[type=file] >> nth=0';

/** Returns a function that starts uploads, of which every PATCH request fails. */
export const createBlockedUploader = (site: Awaited<ReturnType<typeof startTestSite>>) => async (names: string[]) => {
  const author = await newAuthor(site);
  const page = await site.visitAs(author.headers, '/upload');
  page.on('dialog', (dialog) => dialog.accept());
  await page.route('**/upload/resumable/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.locator(FILE_INPUT_SELECTOR).waitFor({ state: 'attached' });
  const firstPatch = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.setInputFiles(
    FILE_INPUT_SELECTOR,
    names.map((name) => filePayload(name, makeTextFile(crypto.randomUUID()))),
  );
  await firstPatch;
  await page.getByLabel('文档分类').selectOption('1');
  await page.getByRole('button', { name: '确定上传' }).click();
  // A reload loses uploads that are not stored yet.
  const concurrentUploads = Math.min(names.length, 2);
  await eventually(() => countStoredUploads(page)).toEqual({
    files: names.length,
    uploadUrls: concurrentUploads,
    pausedUploads: 0,
  });
  return { author, page };
};

type StoredRow = { title: string; price: string; categoryId: number; uploadUrl: string; isPaused: boolean };

/** Reads the entries that the page has stored in IndexedDB. */
export const readStoredUploads = (page: Page) =>
  page.evaluate(async () => {
    const toPromise = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const [{ name = '' } = {}] = await indexedDB.databases();
    const database = await toPromise(indexedDB.open(name));
    const stores = database.transaction(['uploads', 'files']);
    const files = toPromise(stores.objectStore('files').count());
    const rows: StoredRow[] = await toPromise(stores.objectStore('uploads').getAll());
    const content = { files: await files, rows };
    database.close();
    return content;
  });

export async function countStoredUploads(page: Page) {
  const { files, rows } = await readStoredUploads(page);
  const uploadUrls = rows.filter(({ uploadUrl }) => uploadUrl).length;
  const pausedUploads = rows.filter(({ isPaused }) => isPaused).length;
  return { files, uploadUrls, pausedUploads };
}
