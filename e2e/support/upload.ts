import type { Page } from 'playwright-core';
import { eventually } from '../public-site.ts';
import { newAuthor } from '../test-documents.ts';
import type { startSite } from './site.ts';

export const makeTextFile = (words: string) => Buffer.from(`${words}\n\n${'书中有正文，正文分段落。\n'.repeat(40)}`);
export const filePayload = (name: string, buffer: Buffer) => ({ name, mimeType: '', buffer });
export const FILE_INPUT = 'input[type=file] >> nth=0';

/** Several files on the page, sent off, none of which gets through. */
export const createBlockedUploader = (site: Awaited<ReturnType<typeof startSite>>) => async (names: string[]) => {
  const author = await newAuthor(site);
  const page = await site.visitAs(author.headers, '/upload');
  page.on('dialog', (dialog) => dialog.accept());
  await page.route('**/upload/resumable/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.locator(FILE_INPUT).waitFor({ state: 'attached' });
  await page.setInputFiles(
    FILE_INPUT,
    names.map((name) => filePayload(name, makeTextFile(crypto.randomUUID()))),
  );
  await page.getByLabel('文档分类').selectOption('1');
  const begun = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: '确定上传' }).click();
  await begun;
  // A reload loses what the browser has not written down yet.
  const sending = Math.min(names.length, 2);
  await eventually(() => countStoredUploads(page)).toEqual({
    files: names.length,
    begun: sending,
    paused: 0,
  });
  return { author, page };
};

/** How many files are written down in the browser, of how many their address, and how many as paused. */
export const countStoredUploads = (page: Page) =>
  page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const [{ name = '' } = {}] = await indexedDB.databases();
    const database = await asked(indexedDB.open(name));
    const stores = database.transaction(['uploads', 'files']);
    const files = asked(stores.objectStore('files').count());
    const rows: { uploadUrl: string; isPaused: boolean }[] = await asked(stores.objectStore('uploads').getAll());
    const begun = rows.filter(({ uploadUrl }) => uploadUrl).length;
    const paused = rows.filter(({ isPaused }) => isPaused).length;
    const kept = { files: await files, begun, paused };
    database.close();
    return kept;
  });
