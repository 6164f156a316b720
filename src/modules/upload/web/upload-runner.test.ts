import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newUploadItem } from './upload-item.ts';
import { UploadRunner } from './upload-runner.ts';

type Row = { key: string; userId: number };
const writtenRows: Row[] = [];

/** The database of the browser: it records the rows that are written, one transaction after the other. */
class RecordingDatabase {
  readonly objectStoreNames = [];
  close() {}
  transaction() {
    const transaction = { oncomplete: () => {}, objectStore: (name: string) => this.#objectStore(name) };
    setImmediate(() => transaction.oncomplete());
    return transaction;
  }
  #objectStore(name: string) {
    const request = { result: [], onsuccess: () => {} };
    return {
      put: (row: Row) => name === 'uploads' && writtenRows.push(row),
      getAll: () => request,
    };
  }
}

beforeEach(() => {
  writtenRows.length = 0;
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('sessionStorage', { getItem: () => 'page', setItem: () => {} });
  // Nothing is sent.
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  vi.stubGlobal('indexedDB', {
    open: () => {
      const request = { result: new RecordingDatabase(), onsuccess: () => {} };
      setImmediate(() => request.onsuccess());
      return request;
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

it('rows whose user leaves the page while they are persisted stay the rows of this user', async () => {
  const runner = new UploadRunner();
  const leave = runner.connect(7);
  const items = ['甲.txt', '乙.txt', '丙.txt'].map((name, index) => newUploadItem(new File(['x'], name), '0', index));
  runner.add(items);
  leave();
  await vi.waitFor(() => expect(writtenRows).toHaveLength(3));
  expect(writtenRows.map(({ key, userId }) => [key, userId])).toEqual(items.map(({ key }) => [key, 7]));
});

it('adding a file writes only its row', async () => {
  const runner = new UploadRunner();
  const items = ['甲.txt', '乙.txt'].map((name, index) => newUploadItem(new File(['x'], name), '0', index));
  for (const item of items) {
    const leave = runner.connect(7);
    runner.add([item]);
    leave();
    await vi.waitFor(() => expect(writtenRows.map(({ key }) => key)).toContain(item.key));
  }
  expect(writtenRows.map(({ key }) => key)).toEqual(items.map(({ key }) => key));
});
