import { createStore } from 'zustand';
import { type Categories, pathFromRoot } from '#modules/category/web/indexed-categories.ts';
import { forgetArchive } from './archive/stored-archives.ts';
import { deleteSentFile } from './delete-sent-file.ts';
import { loadFinishedUploads, removeFinishedUploads, storeFinishedUpload } from './finished-uploads.ts';
import { publishUpload } from './publish-upload.ts';
import { cancelResumableUpload, resumableUploadUrl } from './send-file.ts';
import { sendUpload } from './send-upload.ts';
import {
  claimUploads,
  deleteUnfinishedUpload,
  renewClaims,
  type StoredUpload,
  storeUnfinishedUpload,
} from './unfinished-uploads.ts';
import {
  isBusy,
  isReadyToPublish,
  isReadyToSend,
  newUploadItem,
  stateOfNextAttempt,
  type UploadItem,
} from './upload-item.ts';
import {
  EMPTY_UPLOAD_LIST,
  reduceUploadItem,
  reduceUploads,
  type UploadEvent,
  type UploadStep,
} from './upload-reducer.ts';

const MAX_CONCURRENT_UPLOADS = 2;
const CLAIM_RENEWAL_MS = 15_000;

/** Performs the effects of the upload list: sends, cancels, stores and restores uploads. */
export class UploadRunner {
  readonly store = createStore(() => EMPTY_UPLOAD_LIST);
  readonly #controllers = new Map<string, AbortController>();
  /** Rows that the user has removed while their files were sent. */
  readonly #removedKeys = new Set<string>();
  /** 0 while the page is not connected. */
  #userId = 0;
  #categories: Categories['map'] = {};

  readonly dispatch = (event: UploadEvent): void => {
    this.store.setState((list) => reduceUploads(list, event));
    // Not immediately: the sender of the event persists its row before the next upload starts.
    queueMicrotask(() => this.#sendNext());
  };

  setCategories(categories: Categories['map']): void {
    this.#categories = categories;
    this.#sendNext();
  }

  /** Restores the uploads of an earlier visit and sends uploads, until the returned function is called. */
  connect(userId: number): () => void {
    this.#userId = userId;
    void this.#restore({ isNew: false });
    const timer = setInterval(() => void this.#renewClaims(), CLAIM_RENEWAL_MS);
    const retryInterrupted = () => this.dispatch({ type: 'networkRestored' });
    addEventListener('online', retryInterrupted);
    return () => {
      this.#userId = 0;
      clearInterval(timer);
      removeEventListener('online', retryInterrupted);
      // Leaving stops the uploads, which continue on the next visit; two concurrent uploads would create two documents.
      for (const controller of this.#controllers.values()) controller.abort();
    };
  }

  add(items: UploadItem[]): void {
    this.dispatch({ type: 'filesAdded', items });
    void this.#persistRows(items.map(({ key }) => key));
  }

  selectCategory(categoryId: number): void {
    this.dispatch({ type: 'categorySelected', categoryId });
    void this.#persistRows();
  }

  edit(key: string, values: Partial<Pick<UploadItem, 'title' | 'price' | 'categoryId'>>): void {
    this.dispatch({ type: 'edited', key, values });
    const item = this.#find(key);
    if (item) void this.#persist(item);
  }

  submit(): void {
    this.dispatch({ type: 'submitted' });
    void this.#persistRows();
  }

  pause(key: string): void {
    const controller = this.#controllers.get(key);
    if (!controller) return;
    controller.abort();
    this.dispatch({ type: 'paused', key });
    const item = this.#find(key);
    if (item) void this.#persist(item);
  }

  remove(key: string): void {
    const item = this.#find(key);
    this.#controllers.get(key)?.abort();
    this.#removedKeys.add(key);
    if (item && item.state !== 'done') deleteSentFile(item);
    this.dispatch({ type: 'removed', key });
    if (item) this.#releaseArchive(item);
    removeFinishedUploads([key]);
    void deleteUnfinishedUpload(key);
  }

  removeFinished(): void {
    const finishedItems = this.store.getState().items.filter(({ state }) => state === 'done');
    removeFinishedUploads(finishedItems.map(({ key }) => key));
    this.dispatch({ type: 'finishedRemoved' });
  }

  #find(key: string): UploadItem | undefined {
    return this.store.getState().items.find((item) => item.key === key);
  }

  /** Starts one step, publications first. Its first event calls this method again, until the limit is reached. */
  #sendNext(): void {
    if (this.#userId === 0) return;
    const { items } = this.store.getState();
    const isIdle = ({ key }: UploadItem) => !this.#controllers.has(key);
    const savingItems = items.filter(({ state }) => state === 'saving');
    const sentItem = items.filter(isReadyToPublish).find((item) => isIdle(item) && this.#categoryPath(item).length > 0);
    // Publications do not wait for files that are being sent.
    if (sentItem && savingItems.length < MAX_CONCURRENT_UPLOADS)
      return void this.#publish(sentItem, this.#categoryPath(sentItem));
    if (items.filter(isBusy).length - savingItems.length >= MAX_CONCURRENT_UPLOADS) return;
    const item = items.filter(isReadyToSend).find(isIdle);
    if (item) void this.#send(item);
  }

  /** Ids of the category and its ancestors; empty while none is selected or the categories are loading. */
  #categoryPath(item: UploadItem): number[] {
    const categoryId = item.categoryId || this.store.getState().categoryId;
    return pathFromRoot(this.#categories, categoryId).map(({ id }) => id);
  }

  async #send(item: UploadItem & { file: File }): Promise<void> {
    const { key } = item;
    const controller = new AbortController();
    this.#controllers.set(key, controller);
    const reporter = this.#createReporter(item);
    await sendUpload({ item, signal: controller.signal, ...reporter });
    // Removed while the server stored the file.
    const row = reporter.readRow();
    if (this.#removedKeys.has(key) && row.attachmentId > 0) deleteSentFile(row);
    this.#controllers.delete(key);
    this.#sendNext();
  }

  async #publish(item: UploadItem & { file: File }, path: number[]): Promise<void> {
    const { key } = item;
    this.#controllers.set(key, new AbortController());
    const reporter = this.#createReporter(item);
    await publishUpload({ item, path, ...reporter });
    const row = reporter.readRow();
    if (row.state === 'done') await deleteUnfinishedUpload(key);
    this.#controllers.delete(key);
    this.#releaseArchive(row);
    this.#sendNext();
  }

  /** Reports the steps of one row, also after the list has dropped it. */
  #createReporter(item: UploadItem & { file: File }) {
    const userId = this.#userId;
    let row: UploadItem = item;
    const report = (step: UploadStep) => {
      const reducedRow = reduceUploadItem(row, step);
      this.dispatch({ ...step, key: item.key });
      // The user may have edited or submitted the row meanwhile.
      row = this.#find(item.key) ?? reducedRow;
      if (row.state === 'done') storeFinishedUpload(userId, row);
    };
    const persist = async (step: UploadStep) => {
      report(step);
      const { categoryId } = this.store.getState();
      await storeUnfinishedUpload(toStoredUpload(row, userId, categoryId), item.file);
    };
    return { report, persist, readRow: () => row };
  }

  /** Deletes an archive on the server after its last document was created or removed. */
  #releaseArchive({ archive }: UploadItem): void {
    const isNeeded = ({ archive: other, state }: UploadItem) =>
      other?.uploadId === archive?.uploadId && state !== 'done';
    if (!archive || this.store.getState().items.some(isNeeded)) return;
    forgetArchive(archive.uploadId);
    void cancelResumableUpload(resumableUploadUrl(archive.uploadId));
  }

  async #persist(item: UploadItem, userId = this.#userId): Promise<void> {
    const { categoryId } = this.store.getState();
    if (item.file) await storeUnfinishedUpload(toStoredUpload(item, userId, categoryId), item.file);
  }

  /** Persists rows one after the other, so that a reload restores them. Continues when the user leaves the page. */
  async #persistRows(keys = this.store.getState().items.map(({ key }) => key)): Promise<void> {
    const userId = this.#userId;
    for (const key of keys) {
      const item = this.#find(key);
      if (item && item.state !== 'done') await this.#persist(item, userId);
    }
  }

  async #restore({ isNew }: { isNew: boolean }): Promise<void> {
    const userId = this.#userId;
    const storedUploads = await claimUploads(userId, { isNew });
    if (userId !== this.#userId) return;
    this.dispatch({
      type: 'restored',
      items: storedUploads.map(toUploadItem),
      finishedItems: loadFinishedUploads(userId),
      categoryId: storedUploads.find(({ categoryId }) => categoryId > 0)?.categoryId ?? 0,
    });
  }

  /** Takes over uploads of closed pages and drops uploads that another page has claimed. */
  async #renewClaims(): Promise<void> {
    const otherKeys = await renewClaims();
    for (const key of otherKeys) this.#controllers.get(key)?.abort();
    if (otherKeys.length > 0) this.dispatch({ type: 'claimedByOtherPage', keys: otherKeys });
    await this.#restore({ isNew: true });
  }
}

const toUploadItem = ({
  userId: _,
  categoryId: __,
  isPaused,
  archive = null,
  itemCategoryId = 0,
  ...storedUpload
}: StoredUpload & { file: File }): UploadItem => ({
  ...newUploadItem(storedUpload.file, ''),
  ...storedUpload,
  ...(archive && { archive, size: archive.size }),
  categoryId: itemCategoryId,
  progress: storedUpload.attachmentId > 0 ? 1 : 0,
  state: storedUpload.isRefused ? 'failed' : isPaused ? 'paused' : stateOfNextAttempt(storedUpload),
});

const toStoredUpload = (item: UploadItem, userId: number, categoryId: number): StoredUpload => {
  const { key, title, price, error, isRefused, uploadUrl, attachmentId, isInstant, isSubmitted, state, archive } = item;
  const itemCategoryId = item.categoryId;
  const rowValues = { title, price, error, isRefused, userId, categoryId, archive, itemCategoryId };
  const uploadValues = { uploadUrl, attachmentId, isInstant, isSubmitted };
  return { key, ...rowValues, ...uploadValues, isPaused: state === 'paused' };
};
