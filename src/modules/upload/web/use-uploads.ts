import { useCallback, useEffect, useRef, useState } from 'react';
import { pathFromRoot } from '#modules/category/web/indexed-categories.ts';
import { useCategories } from '#modules/category/web/use-categories.ts';
import { loadFinishedUploads, removeFinishedUploads } from './finished-uploads.ts';
import { cancelResumableUpload } from './send-file.ts';
import {
  claimUploads,
  deleteUnfinishedUpload,
  renewClaims,
  type StoredUpload,
  storeUnfinishedUpload,
} from './unfinished-uploads.ts';
import { uploadAndCreateDocument } from './upload-and-create-document.ts';
import { findRowProblem, isSendable, mergeItems, newUploadItem, type UploadItem } from './upload-item.ts';

const MAX_CONCURRENT_UPLOADS = 2;
const CLAIM_RENEWAL_MS = 15_000;
const busyStates: readonly UploadItem['state'][] = ['hashing', 'sending', 'saving'];

/** List of uploads of this page. It sends two at a time and continues after a reload. */
export function useUploads(userId: number) {
  const [items, setItems] = useState<UploadItem[]>([]);
  const [categoryId, setCategoryId] = useState(0);
  const controllers = useRef(new Map<string, AbortController>());
  const startedKeys = useRef(new Set<string>());
  const { map } = useCategories();

  const change = useCallback((key: string, values: Partial<UploadItem>) => {
    setItems((currentItems) => currentItems.map((item) => (item.key === key ? { ...item, ...values } : item)));
  }, []);

  const persist = useCallback(
    async (item: UploadItem) => {
      if (item.file) await storeUnfinishedUpload(toStoredUpload(item, userId, categoryId), item.file);
    },
    [userId, categoryId],
  );

  /** Persists one after the other. Started uploads persist themselves with more data. */
  const persistWaiting = async (waitingItems: UploadItem[]) => {
    for (const item of waitingItems) if (!startedKeys.current.has(item.key)) await persist(item);
  };

  // Restores the unfinished and finished uploads of an earlier visit.
  useEffect(() => {
    if (userId === 0) return;
    const runningControllers = controllers.current;
    const restoreUploads = async (isNew: boolean) => {
      const storedUploads = await claimUploads(userId, { isNew });
      setCategoryId(
        (currentId) => currentId || storedUploads.find(({ categoryId }) => categoryId > 0)?.categoryId || 0,
      );
      // An upload that was being saved when the page was left may be finished now.
      setItems((currentItems) =>
        mergeItems(mergeItems(currentItems, storedUploads.map(toUploadItem)), loadFinishedUploads(userId)),
      );
    };
    /** Takes over uploads of closed pages and drops uploads that another page has claimed. */
    const renewAndRestore = async () => {
      const otherKeys = await renewClaims();
      for (const key of otherKeys) runningControllers.get(key)?.abort();
      if (otherKeys.length > 0)
        setItems((currentItems) =>
          currentItems.filter(({ key, state }) => state === 'done' || !otherKeys.includes(key)),
        );
      await restoreUploads(true);
    };
    void restoreUploads(false);
    const timer = setInterval(() => void renewAndRestore(), CLAIM_RENEWAL_MS);
    return () => {
      clearInterval(timer);
      // Leaving stops the uploads, which continue on the next visit; two concurrent uploads would create two documents.
      for (const controller of runningControllers.values()) controller.abort();
    };
  }, [userId]);

  const send = useCallback(
    async (item: UploadItem, file: File, path: number[]) => {
      if (controllers.current.has(item.key)) return;
      const controller = new AbortController();
      controllers.current.set(item.key, controller);
      startedKeys.current.add(item.key);
      const { signal } = controller;
      await uploadAndCreateDocument({
        item,
        file,
        path,
        userId,
        signal,
        persist,
        change: (values) => change(item.key, values),
      }).finally(() => controllers.current.delete(item.key));
    },
    [change, persist, userId],
  );

  const path = pathFromRoot(map, categoryId).map(({ id }) => id);
  useEffect(() => {
    if (path.length === 0) return;
    const runningCount = items.filter(({ state }) => busyStates.includes(state)).length;
    const nextItems = items.filter((item) => item.state === 'waiting' && item.isSubmitted && !findRowProblem(item));
    for (const item of nextItems.slice(0, Math.max(0, MAX_CONCURRENT_UPLOADS - runningCount)))
      if (item.file) void send(item, item.file, path);
  }, [items, path, send]);

  const isBusy = items.some(({ state }) => busyStates.includes(state));
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);

  // Retries interrupted uploads when the network is back.
  useEffect(() => {
    const resume = () =>
      setItems((currentItems) =>
        currentItems.map((item) =>
          item.state === 'failed' && item.isSubmitted && !item.isRefused ? { ...item, state: 'waiting' } : item,
        ),
      );
    addEventListener('online', resume);
    return () => removeEventListener('online', resume);
  }, []);

  return {
    items,
    categoryId,
    setCategoryId,
    isBusy,
    /** Changes the title or price of a row. */
    change(key: string, values: Pick<Partial<UploadItem>, 'title' | 'price'>) {
      change(key, values);
      const item = items.find((candidate) => candidate.key === key);
      if (item?.isSubmitted) void persist({ ...item, ...values });
    },
    add: (files: File[], price: string) =>
      setItems((currentItems) => [...currentItems, ...files.map((file, index) => newUploadItem(file, price, index))]),
    submit() {
      const submittedValues = { state: 'waiting', isSubmitted: true } as const;
      const nextItems = items.map((item) => (isSendable(item) ? { ...item, ...submittedValues } : item));
      setItems(nextItems);
      // Waiting uploads must survive a reload, too.
      const waitingItems = nextItems.filter(({ state }) => state === 'waiting');
      for (const { key } of waitingItems) startedKeys.current.delete(key);
      void persistWaiting(waitingItems);
    },
    retry: (key: string) => change(key, { state: 'waiting', isSubmitted: true, error: '' }),
    pause(key: string) {
      const controller = controllers.current.get(key);
      if (!controller) return;
      controller.abort();
      change(key, { state: 'paused' });
      const item = items.find((candidate) => candidate.key === key);
      if (item) void persist({ ...item, state: 'paused' });
    },
    remove(key: string) {
      controllers.current.get(key)?.abort();
      const item = items.find((candidate) => candidate.key === key);
      if (item?.uploadUrl && item.attachmentId === 0) void cancelResumableUpload(item.uploadUrl);
      setItems((currentItems) => currentItems.filter((item) => item.key !== key));
      removeFinishedUploads([key]);
      void deleteUnfinishedUpload(key);
    },
    removeDone() {
      removeFinishedUploads(items.filter(({ state }) => state === 'done').map(({ key }) => key));
      setItems((currentItems) => currentItems.filter(({ state }) => state !== 'done'));
    },
  };
}
export type Uploads = ReturnType<typeof useUploads>;

const toUploadItem = ({
  userId: _,
  categoryId: __,
  isPaused,
  ...storedUpload
}: StoredUpload & { file: File }): UploadItem => ({
  ...newUploadItem(storedUpload.file, ''),
  ...storedUpload,
  state: storedUpload.isRefused ? 'failed' : isPaused ? 'paused' : 'waiting',
});

const toStoredUpload = (item: UploadItem, userId: number, categoryId: number): StoredUpload => {
  const { key, title, price, error, isRefused, uploadUrl, attachmentId, isInstant, state } = item;
  const rowValues = { title, price, error, isRefused, userId, categoryId };
  const uploadValues = { uploadUrl, attachmentId, isInstant, isSubmitted: true };
  return { key, ...rowValues, ...uploadValues, isPaused: state === 'paused' };
};
