import { useCallback, useEffect, useRef, useState } from 'react';
import { ancestryOf } from '#modules/category/web/category-tree.ts';
import { useCategories } from '#modules/category/web/use-categories.ts';
import { clearFinishedUploads, finishedUploads } from './finished-uploads.ts';
import { runUpload } from './run-upload.ts';
import { cancelSending } from './send-file.ts';
import { claimUploads, deleteUpload, holdUploads, type StoredUpload, storeUpload } from './unfinished-uploads.ts';
import { isToSend, merged, newItem, rowProblem, type UploadItem } from './upload-list.ts';

const AT_ONCE = 2;
const LOOK_MS = 15_000;
const busy: readonly UploadItem['state'][] = ['hashing', 'sending', 'saving'];

/** The list of uploads of this page: it sends two at a time, and goes on after a reload. */
export function useUploads(userId: number) {
  const [items, setItems] = useState<UploadItem[]>([]);
  const [categoryId, setCategoryId] = useState(0);
  const controllers = useRef(new Map<string, AbortController>());
  const begun = useRef(new Set<string>());
  const { map } = useCategories();

  const change = useCallback((key: string, values: Partial<UploadItem>) => {
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...values } : item)));
  }, []);

  const keep = useCallback(
    async (item: UploadItem) => {
      if (item.file) await storeUpload(keptOf(item, userId, categoryId), item.file);
    },
    [userId, categoryId],
  );

  /** One after the other, and those that began meanwhile say more of themselves. */
  const keepWaiting = async (waiting: UploadItem[]) => {
    for (const item of waiting) if (!begun.current.has(item.key)) await keep(item);
  };

  // What an earlier visit left unfinished is there again, and what it finished.
  useEffect(() => {
    if (userId === 0) return;
    const running = controllers.current;
    const take = async (isNew: boolean) => {
      const kept = await claimUploads(userId, { isNew });
      setCategoryId((chosen) => chosen || kept.find(({ categoryId }) => categoryId > 0)?.categoryId || 0);
      // One that was being saved when the page was left may be done by now.
      setItems((all) => merged(merged(all, kept.map(restored)), finishedUploads(userId)));
    };
    /** Files of pages that are gone come here; those another page has taken leave. */
    const look = async () => {
      const others = await holdUploads();
      for (const key of others) running.get(key)?.abort();
      if (others.length > 0)
        setItems((all) => all.filter(({ key, state }) => state === 'done' || !others.includes(key)));
      await take(true);
    };
    void take(false);
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => {
      clearInterval(timer);
      // Whoever comes back goes on; two at once would make two documents.
      for (const controller of running.values()) controller.abort();
    };
  }, [userId]);

  const send = useCallback(
    async (item: UploadItem, file: File, path: number[]) => {
      if (controllers.current.has(item.key)) return;
      const controller = new AbortController();
      controllers.current.set(item.key, controller);
      begun.current.add(item.key);
      const { signal } = controller;
      await runUpload({
        item,
        file,
        path,
        userId,
        signal,
        keep,
        change: (values) => change(item.key, values),
      }).finally(() => controllers.current.delete(item.key));
    },
    [change, keep, userId],
  );

  const path = ancestryOf(map, categoryId).map(({ id }) => id);
  useEffect(() => {
    if (path.length === 0) return;
    const running = items.filter(({ state }) => busy.includes(state)).length;
    const next = items.filter((item) => item.state === 'waiting' && item.isSubmitted && !rowProblem(item));
    for (const item of next.slice(0, Math.max(0, AT_ONCE - running))) if (item.file) void send(item, item.file, path);
  }, [items, path, send]);

  const isBusy = items.some(({ state }) => busy.includes(state));
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);

  // A network that comes back takes up what it broke off.
  useEffect(() => {
    const resume = () =>
      setItems((all) =>
        all.map((item) =>
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
    /** What is typed about a row. */
    change(key: string, values: Pick<Partial<UploadItem>, 'title' | 'price'>) {
      change(key, values);
      const item = items.find((each) => each.key === key);
      if (item?.isSubmitted) void keep({ ...item, ...values });
    },
    add: (files: File[], price: string) =>
      setItems((all) => [...all, ...files.map((file, at) => newItem(file, price, at))]),
    submit() {
      const submitted = { state: 'waiting', isSubmitted: true } as const;
      const next = items.map((item) => (isToSend(item) ? { ...item, ...submitted } : item));
      setItems(next);
      // Those whose turn comes later survive a reload as well.
      const waiting = next.filter(({ state }) => state === 'waiting');
      for (const { key } of waiting) begun.current.delete(key);
      void keepWaiting(waiting);
    },
    retry: (key: string) => change(key, { state: 'waiting', isSubmitted: true, error: '' }),
    pause(key: string) {
      const controller = controllers.current.get(key);
      if (!controller) return;
      controller.abort();
      change(key, { state: 'paused' });
      const item = items.find((each) => each.key === key);
      if (item) void keep({ ...item, state: 'paused' });
    },
    remove(key: string) {
      controllers.current.get(key)?.abort();
      const item = items.find((each) => each.key === key);
      if (item?.uploadUrl && item.attachmentId === 0) void cancelSending(item.uploadUrl);
      setItems((all) => all.filter((item) => item.key !== key));
      clearFinishedUploads([key]);
      void deleteUpload(key);
    },
    removeDone() {
      clearFinishedUploads(items.filter(({ state }) => state === 'done').map(({ key }) => key));
      setItems((all) => all.filter(({ state }) => state !== 'done'));
    },
  };
}
export type Uploads = ReturnType<typeof useUploads>;

const restored = ({ userId: _, categoryId: __, isPaused, ...kept }: StoredUpload & { file: File }): UploadItem => ({
  ...newItem(kept.file, ''),
  ...kept,
  state: kept.isRefused ? 'failed' : isPaused ? 'paused' : 'waiting',
});

const keptOf = (item: UploadItem, userId: number, categoryId: number): StoredUpload => {
  const { key, title, price, error, isRefused, uploadUrl, attachmentId, isInstant, state } = item;
  const words = { title, price, error, isRefused, userId, categoryId };
  const sent = { uploadUrl, attachmentId, isInstant, isSubmitted: true };
  return { key, ...words, ...sent, isPaused: state === 'paused' };
};
